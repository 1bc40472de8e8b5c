import { formatsToUse } from '../../api/settings/settings-in-use.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { weekBook } from '../../output/week-book.ts';
import type { Format, Unit } from '../../questions/parse/typed-words.ts';
import { issuesText } from '../../questions/view/subject-words.ts';
import type { WeeklyQuestion } from '../../questions/weekly/nine-weeks.ts';
import { weeklyKind } from '../../questions/weekly/weekly-kind.ts';
import type { Person, Place } from '../app/handler-types.ts';
import type { ExportParts } from '../app/parts.ts';
import { explainRefusal, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import { resolvePrincipal } from '../people/principals.ts';
import { commentText } from './export-messages.ts';
import { completeUpload, conversationId, newNote, uploadFile } from './export-notifier.ts';
import { checkAudience } from './request-export.ts';

/** The week whose figures are wanted, as of an instant (null: now). */
interface WeekFile {
  readonly question: WeeklyQuestion;
  readonly asOf: Instant | null;
  readonly format: Format;
  readonly unit: Unit;
}

/** Posts the figures of a week as a file; they are few, so it is made at once. Fails as a queued export would. */
export async function postWeekFigures(
  { question, asOf, format, unit }: WeekFile,
  { principal: { account: user }, userName }: Person,
  place: Place,
  parts: ExportParts,
): Promise<void> {
  const { answers, exports, settings, web, apiUrl } = parts;
  const principal = await resolvePrincipal(user, parts);
  const answer = await answers.ask(weeklyKind, principal, question, asOf);
  await checkAudience(await answers.audienceScope(principal, answer), place, parts);
  const { week, provenance } = answer.value;
  const { formats } = await formatsToUse(settings);
  const file = await exports.write(weekBook(answer.value, question.selection, { unit, formats }), format);
  try {
    const channel = await conversationId(place.channel, web);
    const title = `Figures of week ${week.id} of ${issuesText(question.selection)}`;
    const note = newNote({ ...place, channel }, { user, userName });
    const comment = commentText(title, format.toUpperCase(), `Durations in ${unit}`, provenance, note);
    const id = await uploadFile(web, file, apiUrl);
    await completeUpload(id, { title, comment }, { ...place, channel }, web);
  } catch (error) {
    const code = refusalOf(error);
    throw code === null ? tryAgain(error) : new AppError('refused-by-slack', explainRefusal(code));
  } finally {
    await file.close();
  }
}
