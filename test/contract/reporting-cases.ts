import { millisecondsInMinute } from 'date-fns/constants';
import { afterAll, beforeAll, expect, test } from '#jest';
import type { ReportingApi } from '../../src/api/reporting/reporting-api.ts';
import { ask } from '../../src/model/request.ts';
import { answerCases } from './reporting/answers.ts';
import { betweenCases } from './reporting/between.ts';
import { type CaseParts, everything, only, principal, type Untold } from './reporting/case-parts.ts';
import { choosingCases } from './reporting/choosing.ts';
import { countAndDateCases } from './reporting/counts-and-dates.ts';
import { fieldCases } from './reporting/fields.ts';
import { peopleCases } from './reporting/people.ts';
import { questionCases } from './reporting/questions.ts';
import { readingCases } from './reporting/reading.ts';
import { statisticCases } from './reporting/statistics.ts';
import { keysIn, valuesOf } from './reporting/tables.ts';
import { timeInStatusCases } from './reporting/time-in-status.ts';

/** A reporting port over the world of the cases (test/support/case-world.ts) that is open until it is closed. */
export interface OpenReporting {
  readonly reporting: ReportingApi;
  close(): Promise<void>;
}

/** How the implementation behind a port speaks: how exactly it tells instants, and what it cannot tell, with the reason. */
export interface ReportingDialect {
  readonly precision: 'millisecond' | 'minute';
  readonly cannotTell: Readonly<Partial<Record<Untold, string>>>;
}

const allCases: readonly ((parts: CaseParts) => void)[] = [
  choosingCases,
  timeInStatusCases,
  fieldCases,
  peopleCases,
  countAndDateCases,
  betweenCases,
  statisticCases,
  readingCases,
  questionCases,
  answerCases,
];

/**
 * What every implementation of the reporting port answers about one small world. Figures are literals, worked out by
 * hand; durations are exact to the millisecond in every dialect.
 */
export function reportingCases(
  open: () => Promise<OpenReporting>,
  { precision, cannotTell }: ReportingDialect = { precision: 'millisecond', cannotTell: {} },
): void {
  let opened: OpenReporting;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  const report: CaseParts['report'] = (choices = {}) =>
    opened.reporting.report(
      ask({ principal, reportType: 'statusDuration', selection: everything, ...choices }),
    );
  const tells: CaseParts['tells'] = (what) => {
    asked.add(what);
    return cannotTell[what] === undefined;
  };
  const asked = new Set<Untold>();
  const parts: CaseParts = {
    reporting: () => opened.reporting,
    report,
    figures: async (key, choices = {}) => valuesOf(await report({ selection: only(key), ...choices }))[key],
    keysOf: async (choices) => keysIn(await report(choices)),
    at(iso) {
      const instant = Date.parse(iso);
      return precision === 'minute' ? instant - (instant % millisecondsInMinute) : instant;
    },
    tells,
    whereTold: (what) => (tells(what) ? test : () => {}),
  };
  for (const cases of allCases) cases(parts);

  // So that a reason whose case is gone goes as well, and what is missing is read in the list of tests.
  const reasons = Object.entries(cannotTell).map(([what, reason]) => `${what} (${reason})`);
  if (reasons.length === 0) return;
  test(`has no words for ${reasons.join(', ')}`, () => {
    expect([...asked]).toEqual(expect.arrayContaining(Object.keys(cannotTell)));
  });
}
