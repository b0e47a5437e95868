/** The packages' build order, for machines on which turbo cannot run. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./machine.js"

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/**
 * The folders of the named packages and all their dependencies, dependencies first. Peers are ignored, as in turbo,
 * because the page is a peer of the server and is itself tested with the server.
 *
 * @param {ReadonlyArray<string>} names
 * @param {ReadonlyMap<string, Manifest>} manifests By folder.
 * @returns {ReadonlyArray<string>}
 */
export const buildOrder = (names, manifests) => {
  const folders = new Map([...manifests].map(([folder, { name }]) => [name, folder]))
  /** @type {Set<string>} */
  const order = new Set()
  /** @param {string} name @param {ReadonlyArray<string>} path */
  const visit = (name, path) => {
    const folder = folders.get(name)
    if (folder === undefined || order.has(folder)) return
    if (path.includes(name)) throw new Error(`These packages depend on each other: ${[...path, name].join(", ")}`)
    const { dependencies, devDependencies } = manifests.get(folder) ?? {}
    for (const one of Object.keys({ ...dependencies, ...devDependencies }).toSorted()) visit(one, [...path, name])
    order.add(folder)
  }
  for (const name of names) visit(name, [])
  return [...order]
}

/** The packages in this workspace. @returns {ReadonlyMap<string, Manifest>} */
export const manifests = () =>
  new Map(
    ["packages", "apps"].flatMap((parent) =>
      readdirSync(join(root, parent)).map((name) => {
        const folder = `${parent}/${name}`
        const text = readFileSync(join(root, folder, "package.json"), "utf8")
        return [folder, /** @type {Manifest} */ (JSON.parse(text))]
      })
    )
  )
