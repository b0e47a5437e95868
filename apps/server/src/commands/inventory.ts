/** Defines `geoswap-server inventory`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json } from "./flags.js"
import { lazyHandler } from "./lazyHandler.js"

/** Shows the inventory. */
export const inventory = Command.make(
  "inventory",
  {
    minGas: Flag.String("min-gas").pipe(
      Flag.withMetavar("amount"),
      Flag.withDescription("Report relayers that hold less than this amount of the native token (default: 0)"),
      Flag.withDefault("0"),
      Flag.filter(
        (text) => /^\d{1,20}(\.\d{1,9})?$/.test(text),
        () => "an amount in whole native tokens with at most 9 decimal places, such as 0.05"
      )
    ),
    json
  },
  lazyHandler(async () => (await import("./inventoryHandler.js")).inventory)
).pipe(Command.withDescription("Show the vaults' holdings, the reserved amounts and the relayers' gas balances"))
