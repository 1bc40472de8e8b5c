import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/request.ts';
import type { Given } from '../../parameters/check-parameters.ts';
import { creditingReport } from '../../parameters/columns.ts';
import type { ParameterNames } from '../../parameters/parameter-names.ts';
import { outputTypes, parametersOf, savedTexts, unknownNames } from '../../parameters/saved-report.ts';
import type { HttpParts } from '../route.ts';

/**
 * The parameters a request names, over those of the parameter set it names; without one they are as they were. `ignored`
 * are names in the set that no report takes.
 */
export async function withSaved(
  given: Given,
  names: ParameterNames,
  principal: Principal,
  { settings, reporting }: Pick<HttpParts, 'settings' | 'reporting'>,
): Promise<{ readonly given: Given; readonly ignored: readonly string[] }> {
  const id = given.get('paramSetId');
  if (id === undefined) return { given, ignored: [] };
  const { report } = await settings.parameterSet(principal, id.trim()).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
    const { reason, message, details } = error;
    throw new AppError(reason, message, details, { fields: { paramSetId: details.join(' ') || message } });
  });
  const saved = savedTexts(parametersOf(report), names);
  const ofSet = withoutForeign(saved, given, names, reporting.reportTypes);
  return { given: new Map([...ofSet, ...given]), ignored: unknownNames(report) };
}

/**
 * Leaves aside what was saved for another kind of endpoint where this one has a choice of its own: the type of a
 * report over issues keeps no one from asking for the visits of one, nor a saved kind of file from asking for JSON;
 * delegates are credited only by the report that does so, whichever `asked` or the set names. What is unknown everywhere
 * stays, and is refused.
 */
function withoutForeign(
  given: Given,
  asked: Given,
  { required, words, reportShape }: ParameterNames,
  reportTypes: readonly ReportTypeFacts[],
): Given {
  const report = (asked.get('columnsBy') ?? given.get('columnsBy'))?.trim().toLowerCase();
  const isForeign = (name: string, value: string) => {
    const wanted = value.trim().toLowerCase();
    if (required.has(name)) return false;
    if (name === 'outputType')
      return (
        outputTypes.some((type) => type.toLowerCase() === wanted) && words.get(name)?.has(wanted) !== true
      );
    if (name === 'creditDelegates') return report !== creditingReport.toLowerCase();
    if (name !== 'columnsBy') return false;
    return reportTypes.some(({ id, shape }) => id.toLowerCase() === wanted && shape !== reportShape);
  };
  return new Map([...given].filter(([name, value]) => !isForeign(name, value)));
}
