/** Defines `geoswap skill`. */
import * as Command from "effect/cli/Command"
import { optionalFlag } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

/** Manages the skill for coding agents. */
export const skill = Command.make("skill").pipe(
  Command.withDescription("Teach a coding agent to use geoswap"),
  Command.withSubcommands([
    lazyCommand(
      "install",
      "Write a SKILL.md that teaches a coding agent to use geoswap safely",
      {
        dir: optionalFlag(
          "dir",
          "folder",
          "The folder of your agent's skills, for example .claude/skills (default: .agents/skills)"
        )
      },
      () => import("./handler.js"),
      "run",
      [{ command: "geoswap skill install --dir .claude/skills", description: "Install the skill for one project" }]
    )
  ])
)
