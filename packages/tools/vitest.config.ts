export { default } from "../../tooling/vitest.ts"
