import "./counted";
