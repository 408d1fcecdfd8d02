/** The table of items, and the one-row table that says who sends from it. */
export declare function tables(name: string): {
    items: string;
    sender: string;
};
