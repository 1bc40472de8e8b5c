import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { AppError } from '../../model/error.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import { ask } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { ParserContext } from '../../questions/parse/parser-context.ts';
import { defaultStatistic } from '../../questions/parse/read-statistic.ts';
import type { SlackParts } from '../parts.ts';
import { knownPrincipal } from '../people/resolve-principal.ts';
import { type BuilderForm, isReport } from './builder-form.ts';

/** What there is to choose from, for one principal in one place. */
export interface BuilderFacts {
  readonly reportTypes: readonly ReportTypeFacts[];
  readonly calendars: readonly CalendarDefinition[];
  readonly sets: readonly ParameterSet[];
  /** Whether issues of the chosen report can become one figure. */
  readonly takesStatistic: boolean;
  /** Only a user of the tracker owns what is saved. */
  readonly maySave: boolean;
}

/** Gathers it. */
export async function builderFacts(
  form: BuilderForm,
  account: string,
  asking: ParserContext,
  parts: Pick<SlackParts, 'reporting' | 'people' | 'accounts' | 'log'>,
): Promise<BuilderFacts> {
  const { reportTypes, calendars } = asking;
  const [sets, takesStatistic, known] = await Promise.all([
    asking.parameterSets(),
    isReport(form) ? canCondense(form.report, asking, parts) : false,
    knownPrincipal(account, parts),
  ]);
  return { reportTypes, calendars, sets, takesStatistic, maySave: known !== null };
}

/** Whether a report type takes a statistic: only the reporting port knows. */
async function canCondense(
  reportType: string,
  { principal }: ParserContext,
  { reporting }: Pick<SlackParts, 'reporting'>,
): Promise<boolean> {
  const request = ask({
    principal,
    reportType,
    selection: { by: 'jql', jql: '' },
    statistic: defaultStatistic,
  });
  try {
    await reporting.check(request);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-request') return false;
    throw error;
  }
}
