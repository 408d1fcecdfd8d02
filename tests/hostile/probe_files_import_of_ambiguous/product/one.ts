export const same = "first";
