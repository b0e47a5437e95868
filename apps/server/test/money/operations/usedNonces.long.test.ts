import { usedNonces } from "./usedNonces.js"

usedNonces("PostgreSQL")
