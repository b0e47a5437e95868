import { expect, it } from "vitest"
import { buildOrder, manifests } from "../setup/buildOrder.js"

it("builds the dependencies of a package before it, and no other package", () => {
  const some = new Map([
    ["apps/a", { name: "a", dependencies: { b: "1", elsewhere: "1" } }],
    ["packages/b", { name: "b", devDependencies: { c: "1" } }],
    ["packages/c", { name: "c" }],
    ["packages/d", { name: "d" }]
  ])
  expect(buildOrder(["a"], some)).toEqual(["packages/c", "packages/b", "apps/a"])
  expect(buildOrder(["c", "a"], some)).toEqual(["packages/c", "packages/b", "apps/a"])
})

it("reports packages that depend on each other", () => {
  const some = new Map([
    ["a", { name: "a", dependencies: { b: "1" } }],
    ["b", { name: "b", dependencies: { a: "1" } }]
  ])
  expect(() => buildOrder(["a"], some)).toThrow("These packages depend on each other: a, b, a")
})

it("orders this workspace", () => {
  const order = buildOrder(["@geoswap/local", "@geoswap/cli", "@geoswap/web"], manifests())
  expect(order[0]).toBe("packages/core")
  for (const [first, then] of [
    ["packages/core", "packages/service"],
    ["packages/service", "apps/server"],
    ["apps/server", "apps/local"],
    ["packages/react", "apps/web"]
  ] as const) {
    expect(order.indexOf(first)).toBeGreaterThanOrEqual(0)
    expect(order.indexOf(first)).toBeLessThan(order.indexOf(then))
  }
})
