import { askedToWait } from '../../http-client/asked-to-wait.ts';
import { backOff } from '../../http-client/back-off.ts';
import type { HttpAnswer, NoAnswer } from '../../http-client/send-once.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { RequestCounts } from '../../model/sync.ts';
import type { Budget } from './budget.ts';
import { JiraOverload, type JiraQuestion } from './jira-client.ts';
import { judgeOutcome, type Verdict } from './judge-outcome.ts';
import type { Pass, Passes } from './pass.ts';
import { waitsUntil } from './why-not-answered.ts';

const TRIES = 6;

/** So often something is tried that is too much perhaps, where less of it can be asked for. */
const SHORT_TRIES = 2;

/** So often where somebody waits for the answer. */
const TRIES_FOR_ASKERS = 2;

/** So often in a row one question may be asked to slow down. */
const SLOWER = 20;

const LESS = ' A smaller JIRA_REQUESTS_PER_MINUTE may help.';

/** A question as it is sent, whoever asks it. */
export interface Errand {
  readonly endpoint: string;
  /** Method and path, for people. */
  readonly asked: string;
  readonly lane: JiraQuestion['lane'];
  readonly patience: JiraQuestion['patience'];
  /** How long one try may take. */
  readonly tryMs: number;
  send(pass: Pass): Promise<HttpAnswer | NoAnswer>;
}

/** What tries are made with. */
export interface AskingParts {
  readonly passes: Passes;
  readonly budget: Budget;
  readonly now: () => Instant;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly closing: AbortSignal;
}

/** A good answer: its JSON, the rest of it, and as whom it was asked for. */
export type Answered = Extract<Verdict, { readonly kind: 'answered' }> & { readonly pass: Pass };

/** Asks until there is an answer that another try would not better; everything asked only reads. */
export function createAsking(parts: AskingParts): {
  ask(errand: Errand): Promise<Answered>;
  counts(): RequestCounts;
} {
  const { passes, budget, now, wait, random, closing } = parts;
  let sent = 0;
  let repeated = 0;
  let slowedDown = 0;

  async function tryOnce(errand: Errand, isFirst: boolean): Promise<{ verdict: Verdict; pass: Pass }> {
    const { asked, endpoint, lane, tryMs } = errand;
    const tried = await budget.run(
      endpoint,
      async () => {
        // Only now: whoever waited for long may need another one.
        const pass = await passes.current();
        sent++;
        if (!isFirst) repeated++;
        return { kind: 'tried' as const, pass, outcome: await errand.send(pass) };
      },
      lane,
    );
    closing.throwIfAborted();
    if (tried.kind === 'paused') {
      const pass = await passes.current();
      return { verdict: { kind: 'refused', failure: waitsUntil(tried.until, asked, pass) }, pass };
    }
    const { outcome, pass } = tried;
    return { verdict: judgeOutcome(outcome, { asked, pass, passes, tryMs }), pass };
  }

  async function rest(failures: number): Promise<void> {
    await wait(backOff(failures, random), closing);
    closing.throwIfAborted();
  }

  return {
    async ask(errand) {
      let failures = 0;
      let slower = 0;
      let hasOther = false;
      for (let tries = 0; ; tries++) {
        const { verdict, pass } = await tryOnce(errand, tries === 0);
        switch (verdict.kind) {
          case 'answered':
            return { ...verdict, pass };
          case 'refused':
            throw verdict.failure;
          case 'notLetIn':
            if (hasOther || (await passes.instead(pass)) === null) throw verdict.failure;
            hasOther = true;
            break;
          case 'slower': {
            slowedDown++;
            slower++;
            const wished = askedToWait(verdict.headers, now()) ?? 0;
            const pause = Math.max(wished, backOff(slower, random));
            budget.pause(verdict.everywhere ? null : errand.endpoint, now() + pause);
            if (slower === SLOWER) throw giveUp(verdict.failure, slower, LESS);
            break;
          }
          case 'again':
            failures++;
            if (failures === triesOf(errand, verdict.failure)) throw giveUp(verdict.failure, failures);
            await rest(failures);
        }
      }
    },
    counts: () => ({ sent, repeated, slowedDown }),
  };
}

function triesOf({ lane, patience }: Errand, failure: AppError): number {
  if (lane === 'rights') return TRIES_FOR_ASKERS;
  if (patience !== 'short' || !(failure instanceof JiraOverload)) return TRIES;
  // Minutes have passed already.
  return failure.slow ? 1 : SHORT_TRIES;
}

function giveUp(failure: AppError, tries: number, advice = ''): AppError {
  if (tries === 1) return failure;
  const { code, details, cause } = failure;
  const message = `${failure.message.replace(/\.$/, '')}, ${tries} times in a row.${advice}`;
  if (failure instanceof JiraOverload) return new JiraOverload(message, { cause });
  return new AppError(code, message, details, { cause });
}
