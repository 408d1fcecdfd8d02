export const log: string[] = []; export const d = (name: string) => (target: any, key?: any) => { log.push(`${name} ${typeof target} ${key?.toString()} ${log.length}`); };
@d("base") export class Base { @d("field") f = log.length; @d("static") static s = 1; }
