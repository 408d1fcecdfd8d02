/** Why a decorator can't stand where it was applied. */
export type MisuseReason = "method" | "static" | "private" | "symbolMember" | "numberMember" | "classDecoratorOnMember" | "memberDecoratorOnClass" | "outsideClass" | "finalised" | "noMetadata";
/** What a decorator is made for. */
export type Sort = "class" | "member";
/** A place where the decorator may stand. `identity` is one object per class, the same for all its decorators. */
export interface Place {
    readonly misuse: undefined;
    readonly identity: object;
    /** The member's name; `null` for the class itself. */
    readonly member: string | null;
    /** The class and its name, when it is the class that was decorated. */
    readonly decorated: {
        readonly constructor: object;
        readonly name: string;
    } | undefined;
}
export interface Misplaced {
    readonly misuse: MisuseReason;
    readonly member: string | null;
}
/** `count` is how many arguments the decorator function was called with; `first` to `third` are those. */
export declare function locate(sort: Sort, count: number, first: unknown, second: unknown, third: unknown): Place | Misplaced;
/** Whether a value is a class, and not a function of another sort: only a class's `prototype` can't be assigned. */
export declare function isClassDeclaration(value: unknown): boolean;
