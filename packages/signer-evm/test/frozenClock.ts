/** Freezes the clock for each test file, so operations stay valid however long the tests take. */
import { vi } from "vitest"

vi.useFakeTimers({ toFake: ["Date"] })
