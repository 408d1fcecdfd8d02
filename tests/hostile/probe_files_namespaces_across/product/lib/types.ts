export interface T { x: number } export type U = T | null; export declare const nothing: number;
