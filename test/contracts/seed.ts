/** Every run draws its own lots; what fast-check prints of a failure can be given back as SEED. */
export const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
