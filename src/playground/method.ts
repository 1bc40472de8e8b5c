import type { Args } from './args.ts';
import type { Json } from './json.ts';
import type { Stage } from './stage.ts';

/** One method of Slack's Web API: its name, and what it answers beside `ok: true`. */
export interface Method {
  readonly name: string;
  readonly run: (args: Args, stage: Stage, caller: Caller) => Json;
}

/** Whose token the call carries. */
export type Caller = 'bot' | 'app' | 'nobody';
