import type { ReportingApi } from '../api/reporting.ts';
import type { Asker } from '../model/request.ts';
import type { Message } from './message.ts';

/** What answers of the Slack door draw on. */
export interface SlackParts {
  readonly reporting: ReportingApi;
  /** Everything the slash commands can do; help is told from it. */
  readonly commands: readonly SlashCommand[];
}

/** What stood behind the slash command, and who typed it. */
export interface Asked {
  readonly words: readonly string[];
  readonly asker: Asker;
}

/**
 * One thing a slash command can do. `word` is what has to be typed behind the slash command to get there; the one
 * entry without a word takes everything else. Help, usage hint and manifest are derived from the list.
 */
export interface SlashCommand {
  readonly root: string;
  readonly word: string | null;
  readonly usage: string;
  readonly summary: string;
  /** Messages only the asker sees, in order; at most five, as often as a response URL may be used. */
  answer(asked: Asked, parts: SlackParts): Promise<readonly Message[]>;
}
