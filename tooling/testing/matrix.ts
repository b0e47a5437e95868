/** Whether the tests check whole matrices (`--mode long`), or a part that covers every behavior once. */
export const isWhole = process.env["MATRIX"] === "whole"

/** Whether a case of a matrix belongs to the part that runs by default. Each row has every `of`-th column, in turns. */
export const isChosen = (row: number, column: number, of: number): boolean => isWhole || (row + column) % of === 0
