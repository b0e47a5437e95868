// All files that run in one process also share its chains. The state of each chain is restored after every test.
export { default } from "../../tooling/vitest.ts"
