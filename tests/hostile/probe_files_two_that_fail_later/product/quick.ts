await null; throw new Error("quick threw");
