export { default } from "./vitest.ts"
