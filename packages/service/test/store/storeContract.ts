/** The contract of stores. The tests of an engine call this with a client on an empty database. */
import { describe } from "@effect/vitest"
import { acceptSwapContract } from "./storeContract/acceptSwap.js"
import { accountsContract } from "./storeContract/accounts.js"
import { balanceLimitsContract } from "./storeContract/balanceLimits.js"
import { changeSwapContract } from "./storeContract/changeSwap.js"
import { type Fresh, storedBy } from "./storeContract/fixture.js"
import { includedInputsContract } from "./storeContract/includedInputs.js"
import { leasesContract } from "./storeContract/leases.js"
import { operationIndicesContract } from "./storeContract/operationIndices.js"
import { operationNoncesContract } from "./storeContract/operationNonces.js"
import { readSwapsContract } from "./storeContract/readSwaps.js"
import { reservationReleasesContract } from "./storeContract/reservationReleases.js"
import { reserveAgainContract } from "./storeContract/reserveAgain.js"
import { transactionsContract } from "./storeContract/transactions.js"
import { unavailableContract } from "./storeContract/unavailable.js"

/** Runs the suite. `fresh` is an empty database each time that it is built, and is removed with its scope. */
export const storeContract = (engine: string, fresh: Fresh) =>
  describe(`a store on ${engine}`, () => {
    const stored = storedBy(fresh)
    accountsContract(stored)
    operationIndicesContract(stored)
    acceptSwapContract(stored)
    operationNoncesContract(stored)
    balanceLimitsContract(stored)
    reservationReleasesContract(stored)
    includedInputsContract(stored)
    changeSwapContract(stored)
    reserveAgainContract(stored)
    transactionsContract(stored)
    leasesContract(stored)
    readSwapsContract(stored)
    unavailableContract(stored)
  })
