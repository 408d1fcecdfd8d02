throw new Error("b threw");
