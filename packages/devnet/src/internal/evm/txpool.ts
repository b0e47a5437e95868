/** The transaction pool in the form of geth's `txpool` methods. */

/** A transaction in the pool. */
export interface PooledTransaction {
  readonly hash: string
  readonly from: string
  readonly nonce: string
}

/** The nonce of an account after the latest block. */
type LatestNonce = (address: string) => Promise<number>

/**
 * The next nonce of an account, after its executable transactions in the pool. EDR's own answer is also affected by
 * transactions of others that include an authorization of the account, which no other node executes for this.
 */
export const nextNonce = async (
  pool: ReadonlyArray<PooledTransaction>,
  address: string,
  latestNonce: LatestNonce
): Promise<number> => {
  const sender = address.toLowerCase()
  const waiting = new Set(pool.flatMap(({ from, nonce }) => (from.toLowerCase() === sender ? [Number(nonce)] : [])))
  let next = await latestNonce(address)
  while (waiting.has(next)) next += 1
  return next
}

const nextNonces = async (pool: ReadonlyArray<PooledTransaction>, latestNonce: LatestNonce) => {
  const senders = [...new Set(pool.map(({ from }) => from))]
  return new Map(
    await Promise.all(senders.map(async (from) => [from, await nextNonce(pool, from, latestNonce)] as const))
  )
}

/** Whether the pool has a transaction that no missing nonce precedes. */
export const isExecutable = async (
  pool: ReadonlyArray<PooledTransaction>,
  latestNonce: LatestNonce
): Promise<boolean> => {
  const next = await nextNonces(pool, latestNonce)
  return pool.some(({ from, nonce }) => Number(nonce) < (next.get(from) ?? 0))
}

type Part = Record<string, Record<string, PooledTransaction>>

/** The pool by sender and nonce. A transaction is queued while a nonce before it is missing. */
export const txpoolContent = async (pool: ReadonlyArray<PooledTransaction>, latestNonce: LatestNonce) => {
  const next = await nextNonces(pool, latestNonce)
  const [pending, queued]: [Part, Part] = [{}, {}]
  for (const transaction of pool) {
    const { from } = transaction
    const nonce = Number(transaction.nonce)
    const part = nonce < (next.get(from) ?? 0) ? pending : queued
    part[from] = { ...part[from], [nonce]: transaction }
  }
  return { pending, queued }
}
