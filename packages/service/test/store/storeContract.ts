/** The contract of stores. The tests of an engine call this with a client on an empty database. */
import { describe } from "@effect/vitest"
import { acceptingContract } from "./storeContract/acceptSwap.js"
import { accountsContract } from "./storeContract/accounts.js"
import { changingContract } from "./storeContract/changeSwap.js"
import { failingContract } from "./storeContract/unavailable.js"
import { inclusionsContract } from "./storeContract/includedInputs.js"
import { leasesContract } from "./storeContract/leases.js"
import { limitsContract } from "./storeContract/balanceLimits.js"
import { nonceUsesContract } from "./storeContract/operationNonces.js"
import { operationNoncesContract } from "./storeContract/operationIndices.js"
import { readingContract } from "./storeContract/readSwaps.js"
import { releasesContract } from "./storeContract/reservationReleases.js"
import { reservingContract } from "./storeContract/reserveAgain.js"
import { storedBy, type Fresh } from "./storeContract/fixture.js"
import { transactionsContract } from "./storeContract/transactions.js"

/** Runs the suite. `fresh` is an empty database each time that it is built, and is removed with its scope. */
export const storeContract = (engine: string, fresh: Fresh) =>
  describe(`a store on ${engine}`, () => {
    const stored = storedBy(fresh)
    accountsContract(stored)
    operationNoncesContract(stored)
    acceptingContract(stored)
    nonceUsesContract(stored)
    limitsContract(stored)
    releasesContract(stored)
    inclusionsContract(stored)
    changingContract(stored)
    reservingContract(stored)
    transactionsContract(stored)
    leasesContract(stored)
    readingContract(stored)
    failingContract(stored)
  })
