await null; await null; await null; export {};
