let x = 1; export { x as default, value }; const value = () => x; x = 3;
