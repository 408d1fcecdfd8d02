throw new Error("a threw");
