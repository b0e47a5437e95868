import { describe, expect, it } from "vitest"
import { transactionErrorMessage } from "../src/internal/solana/transactionError.js"

describe("transactionErrorMessage", () => {
  it("uses the messages of a real node", () => {
    expect(transactionErrorMessage("AlreadyProcessed")).toBe("This transaction has already been processed")
    expect(transactionErrorMessage({ InstructionError: [1, { Custom: 26 }] })).toBe(
      "Error processing Instruction 1: custom program error: 0x1a"
    )
    expect(transactionErrorMessage({ InstructionError: [0, "InvalidAccountData"] })).toBe(
      "Error processing Instruction 0: invalid account data for instruction"
    )
    expect(transactionErrorMessage({ InsufficientFundsForRent: { account_index: 2 } })).toBe(
      "Transaction results in an account (2) with insufficient funds for rent"
    )
  })
})
