import { paymentRecovery } from "./payments/recovery.js"

paymentRecovery()
