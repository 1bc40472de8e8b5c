import { clearTimeout, setTimeout } from 'node:timers';
import type { CliOutput } from '../../cli/cli-command.ts';
import type { DoctorParts } from '../../cli/commands/doctor.ts';
import { type Finding, note, problem } from '../../cli/finding.ts';
import { AppError, failureText, systemCode } from '../../model/error.ts';
import { createRedact } from '../../telemetry/redact.ts';
import { secretsIn } from '../config.ts';
import { checks } from './checks/index.ts';
import { type Check, type DoctorContext, type DoctorSurroundings, openContext } from './doctor-context.ts';

/** Runs `npx dwell doctor`, without a Dwell: it has to work where none can be built. Returns the exit code. */
export async function runDoctor(
  args: readonly string[],
  { out, progress, ...surroundings }: CliOutput & DoctorSurroundings,
): Promise<number> {
  const { readCommandLine } = await import('../../cli/read-command-line.ts');
  const { doctor } = await import('../../cli/commands/doctor.ts');
  const line = readCommandLine<DoctorParts>([doctor], args);
  if ('help' in line) {
    out(line.help);
    return 0;
  }
  return line.run({
    out,
    progress,
    now: surroundings.now,
    doctor: {
      async *examine(isThorough, onWait) {
        const context = openContext(surroundings);
        try {
          const begun = checks
            .filter(({ isSlow = false }) => !isSlow)
            .map((check) => ({ check: check.name, findings: findingsOf(check, context) }));
          for (const { check, findings } of begun) {
            onWait(check);
            yield { check, findings: await findings };
          }
          for (const check of isThorough ? checks.filter(({ isSlow }) => isSlow) : []) {
            onWait(check.name);
            yield { check: check.name, findings: await findingsOf(check, context) };
          }
        } finally {
          await context.close();
        }
      },
    },
  });
}

/** The findings of a check, whatever becomes of it, without secrets. */
async function findingsOf(check: Check, context: DoctorContext): Promise<readonly Finding[]> {
  // The names of accounts are no secrets, and can be words that sentences have anyway.
  const named = Object.entries(context.environment).filter(([name]) => !/_(EMAIL|USER)$/.test(name));
  const redact = createRedact(secretsIn(Object.fromEntries(named)));
  const findings = await inTime(check, context).catch((error: unknown) => [problemOf(error)]);
  return findings.map(({ level, text, cure }) => ({ level, text: redact(text), cure: cure && redact(cure) }));
}

async function inTime(check: Check, context: DoctorContext): Promise<readonly Finding[]> {
  if (check.needs.some((group) => context.settings.wrong.has(group)))
    return [note('not checked until its settings are right')];
  if (check.isSlow) return check.run(context);
  const { promise: tooLate, resolve } = Promise.withResolvers<readonly Finding[]>();
  const late = () => resolve([problem(`no answer within ${context.maxCheckMs / 1000} s.`)]);
  const timer = setTimeout(late, context.maxCheckMs);
  try {
    return await Promise.race([check.run(context), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** An unforeseen error has words that may give away a secret; its kind suffices to report it. */
function problemOf(error: unknown): Finding {
  if (error instanceof AppError) return problem(failureText(error));
  const kind = systemCode(error) ?? (error instanceof Error ? error.name : typeof error);
  return problem(`the check itself failed (${kind}).`, 'Please report this as a bug of Dwell.');
}
