/** An example of each call, identical to the example in `docs/protocol.md`. */

const quoteToken = "gq1.k1.mV0xS2t"
const operationToken = "go1.k1.pQ8dL0z"
const wallet = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const delegate = "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
const recipient = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
const changeId = "5b0e7d0c-1f7e-4c55-8a35-6f1d0a4c2e97"
const swapId = "9f1c6c1e-6d0c-4a53-9c55-0d9a3f6c8b11"

/** A request and its response. */
export interface Example {
  readonly request?: object
  readonly parameters?: Readonly<Record<string, string>>
  readonly answer: object
  /** Another form of the request, with its response. */
  readonly variant?: { readonly name: string; readonly request: object; readonly answer: object }
}

const delegation: Example = {
  parameters: { chainId: "8453", walletAddress: wallet },
  answer: {
    chainId: 8453,
    walletAddress: wallet,
    delegated: false,
    originReady: false,
    delegationTarget: delegate,
    accountNonce: 7
  }
}

const pair = {
  originChain: 8453,
  destinationChain: 42161,
  inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  outputToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
  amount: "10000000"
}
const price = { output: "2500000000000000", minOutput: "2487500000000000", feeBps: 12.5 }
const priceDetails = {
  origin: "evm",
  networkCost: "4200",
  inputUsd: "10.00",
  outputUsd: "9.98",
  priceImpactBps: -20
}

const vault = "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b"
const orderId = "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"
const deadline = 1767225690
const tokenDomain = { name: "USD Coin", version: "2" }

/** A payment with an authorization of the token. */
const payment = {
  geoOpHash: "0x56d5c42d3b66b07fb8e53e14c210ac55fa6bf536a8b7b66fd35a79ad1f48e056",
  geoOpToken: operationToken,
  payment: {
    method: "eip3009",
    chainId: pair.originChain,
    wallet,
    token: pair.inputToken,
    amount: pair.amount,
    vault,
    orderId,
    terms: "0x0dd15b5d4e53324d826748f214b2573fca26a492048f6177270f58137e67d317",
    deadline,
    domain: tokenDomain
  },
  typedData: {
    types: {
      ReceiveWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" }
      ]
    },
    primaryType: "ReceiveWithAuthorization",
    domain: { ...tokenDomain, chainId: pair.originChain, verifyingContract: pair.inputToken },
    message: {
      from: wallet,
      to: vault,
      value: pair.amount,
      validAfter: "0",
      validBefore: String(deadline),
      nonce: "0xf80c2ec2b91ad0af4308eb618834ddb35dd5acc583c507d7a55154b3563b978f"
    }
  }
}

/** What the service reports about every swap. */
const report = {
  input: { chainId: pair.originChain, token: pair.inputToken, amount: pair.amount },
  quotedOutput: { chainId: pair.destinationChain, token: pair.outputToken, amount: price.output },
  feeBps: price.feeBps,
  networkCost: priceDetails.networkCost,
  recipient,
  acceptedAt: "2026-01-01T00:00:08.250Z"
}

export const examples = {
  quote: {
    request: {
      ...pair,
      walletAddress: wallet,
      recipient,
      slippageBps: 50
    },
    answer: {
      geoQuoteToken: quoteToken,
      ...price,
      expiresAt: "2026-01-01T00:00:30.000Z",
      ...priceDetails,
      paymentMethods: ["delegation", "permit2"]
    },
    variant: {
      name: "indicative",
      request: { ...pair, indicative: true },
      answer: { indicative: true, ...price, ...priceDetails, warnings: [] }
    }
  },
  delegation,
  delegationByPath: delegation,
  changeDelegation: {
    request: {
      walletAddress: wallet,
      authorization: {
        chainId: 8453,
        address: "0x0000000000000000000000000000000000000000",
        nonce: 8,
        yParity: 0,
        r: "0x9a3c5b1e7f20d4486c1a95e2b7d3f8046e1c2a5b9d7f3e8041c6a2b5d9e7f310",
        s: "0x1b7e4d2c9a8f6350e1d4c7b2a9f8063514e7d2c5b8a1f90643e7d1c2b5a8f906"
      }
    },
    answer: { changeId, status: "pending", chainId: 8453, walletAddress: wallet }
  },
  delegationStatus: {
    parameters: { changeId },
    answer: {
      changeId,
      status: "applied",
      chainId: 8453,
      walletAddress: wallet,
      txHash: "0x2f6a1c8be4d7093a5b1e8c4f7d2a6095e3b8c1f4a7d0263e9b5c8f1a4d7e0b63"
    }
  },
  buildGeoOp: {
    request: {
      geoQuoteToken: quoteToken,
      authorization: {
        chainId: 8453,
        address: delegate,
        nonce: 7,
        yParity: 1,
        r: "0xcad2c20dc6a6bc8cb7e62428e4e6f075c1bf787be631bcc1bacc7631a2b3e045",
        s: "0x35ea2a17e49f66d69c77f0f786a0bcf8711ad2e706cabc3803231ba19e07bdb5"
      }
    },
    answer: {
      geoOpHash: "0xab9d1414bb7e40e2b5df579335bf25cff659a0a30b3cfd58d1dfcd2dcdd1dc23",
      geoOpToken: operationToken,
      geoOp: {
        chainId: 8453,
        wallet,
        delegate,
        token: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
        amount: "10000000",
        vault,
        orderId,
        terms: "0x98ec763b8fe169c6b5919e0fe1082cd4d18045fe1afcb65562de7727b886b4ad",
        nonce: "0",
        deadline
      }
    },
    variant: {
      name: "payment",
      request: { geoQuoteToken: quoteToken, paymentMethod: "eip3009" },
      answer: payment
    }
  },
  buildSolanaTx: {
    request: { geoQuoteToken: quoteToken },
    answer: { unsignedTransaction: "AgAAAAAAAAAA", geoOpToken: operationToken }
  },
  submit: {
    request: {
      geoOpToken: operationToken,
      signature:
        "0x5b1c5b7b2f0d6a3c9f6e2d8a4b7c1e0f5b1c5b7b2f0d6a3c9f6e2d8a4b7c1e0f3a9d8c7b6e5f4a3b2c1d0e9f8a7b6c5d3a9d8c7b6e5f4a3b2c1d0e9f8a7b6c5d1b"
    },
    answer: { swapId, status: "pending", ...report }
  },
  submitSolana: {
    request: { geoOpToken: operationToken, signedTransaction: "AgAAAAAAAAAA" },
    answer: { swapId, status: "pending", ...report }
  },
  status: {
    parameters: { swapId },
    answer: {
      swapId,
      status: "settled",
      originTxHash: "0x918d88032bdea63c180ec84957073cdb4ad80cf452967c1a41b4e7e731f42ea3",
      deliveryTxHash: "0x46407aeda6dc1b92e6ea202aac9c13a3973060747532b340f37cd5c2ee4d13cb",
      ...report,
      output: report.quotedOutput,
      collectedAt: "2026-01-01T00:00:21.000Z",
      finishedAt: "2026-01-01T00:00:24.500Z"
    }
  },
  health: { answer: { status: "ok" } },
  chains: {
    answer: {
      chains: [
        {
          id: 8453,
          name: "Base",
          kind: "evm",
          tokens: [{ symbol: "USDC", address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", decimals: 6 }]
        }
      ]
    }
  }
} satisfies Readonly<Record<string, Example>>
