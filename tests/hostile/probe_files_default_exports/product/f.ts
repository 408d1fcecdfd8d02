let x = 1; export default x; x = 2;
