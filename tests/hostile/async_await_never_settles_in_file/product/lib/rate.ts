export const rate = await new Promise(() => {});
