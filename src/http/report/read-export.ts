import { checkDayLength } from '../../api/settings/request-of-saved.ts';
import { about, badRequestAs } from '../../model/error.ts';
import { type ExportInput, exportTypes } from '../../model/export.ts';
import type { Principal } from '../../model/request.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { type AskedExport, isCsv } from '../../parameters/report.ts';
import type { HttpParts } from '../route.ts';
import { readFormats } from './read-formats.ts';
import { readReport } from './read-report.ts';

/** The input behind checked parameters; dates are written as they are set at this moment, however long it is queued. */
export async function readExport(
  asked: AskedExport,
  principal: Principal,
  parts: Pick<HttpParts, 'reporting' | 'settings' | 'now'>,
): Promise<ExportInput> {
  const { outputType: type, byteOrderMark } = asked;
  if (byteOrderMark && !isCsv(type)) {
    throw badRequestAs(
      'conflicting-values',
      about(
        'byteOrderMark',
        `'true' cannot be used with outputType ${type}. Try: ${exportTypes.filter(isCsv).join(', ')}.`,
      ),
    );
  }
  const request = await readReport(asked, 'issue', principal, parts);
  const unchecked = await checkDayLength(asked, principal, parts.settings);
  const { formats, notes } = await readFormats(asked, parts.settings);
  return {
    principalName: null,
    type,
    request,
    unit: asked.viewFormat,
    dayLength: asked.dayLength,
    ...withNotes({ formats }, [...unchecked, ...notes]),
    denominator: asked.averageDenominator,
    deviation: asked.stddevType,
    byteOrderMark,
    withProvenance: asked.withProvenance,
  };
}
