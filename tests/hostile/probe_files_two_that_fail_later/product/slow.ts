await null; await null; await null; throw new Error("slow threw");
