/** Why an agent's policy stops a command. Every error says what to do next. */
import * as Schema from "effect/Schema"
import { explained } from "../output/Exit.js"

/** The wallet has no policy, so nothing is signed for an agent. */
export class NoPolicy extends Schema.TaggedError<NoPolicy>()("NoPolicy", explained) {}

/** A policy or its store is missing, altered, or older than the other. Nothing is signed until a person repairs it. */
export class PolicyTampered extends Schema.TaggedError<PolicyTampered>()("PolicyTampered", explained) {}

/** The settings contradict the policy: another service, or other decimals for a token. */
export class PolicyConflict extends Schema.TaggedError<PolicyConflict>()("PolicyConflict", explained) {}

/** An approval cannot be given or used: it is unknown, expired, rejected or used. */
export class ApprovalRefused extends Schema.TaggedError<ApprovalRefused>()("ApprovalRefused", explained) {}
