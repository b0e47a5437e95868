/** Whether the tests check whole matrices (`--mode long`), or a part that covers every behavior once. */
export const isWhole = process.env["MATRIX"] === "whole"
