import { usedNonces } from "./engines/usedNonces.js"

usedNonces("PostgreSQL")
