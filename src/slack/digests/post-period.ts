import type { DueDigest } from '../../api/digests/digests-api.ts';
import type { Answer } from '../../model/answer.ts';
import type { Digest, DigestInput, DigestPlace, DigestRun } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { Run } from '../../model/question.ts';
import type { AudienceScope, Principal, ReportRequest } from '../../model/request.ts';
import { shorten } from '../../output/readable-text.ts';
import { utcText } from '../../output/wording.ts';
import { answerView, unreachableIn } from '../answers/answer-view.ts';
import type { Place } from '../app/handler-types.ts';
import type { AudienceParts, DigestPostParts, PeopleParts } from '../app/parts.ts';
import { orElse, slackText } from '../app/show-failure.ts';
import { firstPart, storeAnswer } from '../ask/read-question.ts';
import { scopeFacts } from '../ask/share-answer.ts';
import { type Message, someOf } from '../blocks/message.ts';
import { context, dateMark, escapeMrkdwn, unescapeMrkdwn } from '../blocks/mrkdwn.ts';
import { answerForAll, type JudgedAnswer, lastingAudienceProblem } from '../channels/audience.ts';
import { newNote } from '../exports/export-notifier.ts';
import { exportInput } from '../exports/request-export.ts';
import { digestPrincipal } from '../people/accounts.ts';
import { type DeliveryLog, type Posted, postOnce, writePeriod } from './post-once.ts';

/**
 * Posts the message of a period, then what belongs in its thread; goes on where an attempt before ended. False where it holds nothing
 * that everyone in its channel can see, and nothing is posted.
 */
export async function postPeriod(
  due: DueDigest,
  deliveries: DeliveryLog,
  parts: DigestPostParts,
): Promise<boolean> {
  const { answers } = parts;
  const { period, links } = await periodForAll(due, parts);
  const { ts, trying } = deliveries.note();
  if (period.answer.isEmpty && ts === '' && trying === '') return false;
  const { digest, answer } = period;
  const { owner, place, file, question } = digest;
  const run = writePeriod(digest.id, period.run.due);

  const post = (part: string, target: Place, make: () => Promise<Message>) =>
    postOnce({ run, part, ...target, make }, deliveries, parts);

  async function check(channel: string): Promise<void> {
    if (place.kind === 'owner') return;
    const principal = await digestPrincipal(owner, parts);
    const contents = principal === null ? null : await answers.audienceScope(principal, answer);
    await checkAudience(contents, channel, parts);
  }

  async function postMain(): Promise<Posted> {
    const { channel, ts } = deliveries.note();
    if (ts !== '') return { channel, ts };
    // An account names its conversation with the app.
    const target = { channel: place.kind === 'channel' ? place.channel : owner, threadTs: null };
    const posted = await post('message', target, async () => {
      await check(target.channel);
      const subject = { kind: 'digest', id: digest.id } as const;
      const channel = place.kind === 'channel' ? place.channel : null;
      const facts = { ...scopeFacts(answer), people: { owner }, channel };
      await parts.audit.leaving({ subject, verb: 'posted', facts });
      return (await digestView(period, await storeAnswer(owner, answer, answers), parts)).message;
    });
    if ('because' in posted) {
      throw new AppError('refused-by-slack', "Slack didn't answer, so it may be posted already.", [
        unescapeMrkdwn(posted.because),
        "Please look, and press the button if it isn't there.",
      ]);
    }
    await deliveries.store({ ...posted, trying: '' });
    return posted;
  }

  /** A thread is as good without a part that may be there already, or that Slack does not take. */
  async function postDetail(detail: Message, at: number, thread: Place): Promise<void> {
    await orElse(
      post(`detail ${at}`, thread, async () => detail),
      (error) => {
        if (error.code === 'unavailable') throw error;
        parts.log.warn({ err: error, digestId: digest.id }, 'Slack refused a detail of a digest');
      },
    );
    await deliveries.store({ details: String(at), trying: '' });
  }

  async function postFile({ channel, threadTs }: Place): Promise<void> {
    const { accounts, exports } = parts;
    const principal = await digestPrincipal(owner, parts);
    const request = principal === null ? null : await answers.requestOf(principal, question, period.run.due);
    if (file === null || request === null) return;
    await check(channel);
    const { name: userName } = await accounts.profileOf(owner);
    const list = { ...request, ...links, statistic: null, page: null };
    const shape = { format: file, unit: 'hours', dayLength: '24HourDays', request: list } as const;
    const input = await exportInput(shape, userName, parts.settings);
    if ((await exports.count(input)) === 0) return;
    const note = newNote({ channel, threadTs }, { user: owner, userName, digest: run });
    // Queued once for a period, however often it is tried.
    const { records } = await exports.list(request.principal, LATEST);
    if (records.some(({ delivery }) => delivery?.note.digest === note.digest)) return;
    await exports.queue(input, { door: 'slack', note, pending: true });
  }

  const { channel, ts: threadTs } = await postMain();
  const thread = { channel, threadTs };
  for (const [i, detail] of periodView(period, null).details.entries()) {
    if (i >= Number(deliveries.note().details)) await postDetail(detail, i + 1, thread);
  }
  if (file === null || deliveries.note().file !== '') return true;
  await orElse(postFile(thread), (error) => {
    if (error.code === 'unavailable') throw error;
    const lead = "The message is posted, but its file couldn't be created.";
    throw new AppError(error.reason, lead, [slackText(error)]);
  });
  await deliveries.store({ file: 'yes' });
  return true;
}

/** A period with its answer as everyone in the channel of the digest can see it, and the links that count in it, if not all do. */
async function periodForAll(
  period: DueDigest,
  parts: DigestPostParts,
): Promise<{ readonly period: DueDigest; readonly links: Pick<ReportRequest, 'linksWithin'> }> {
  const { place, owner } = period.digest;
  const principal = place.kind === 'channel' ? await digestPrincipal(owner, parts) : null;
  if (principal === null || place.kind !== 'channel') return { period, links: {} };
  const { answer, linksWithin } = await answerForAll(
    period.answer,
    principal,
    place.channel,
    parts,
    lastingAudienceProblem,
  );
  return { period: { ...period, answer }, links: linksWithin === undefined ? {} : { linksWithin } };
}

const MISSED_SHOWN = 3;

type ShownPeriod = Omit<DueDigest, 'run'> & { readonly run: Pick<DigestRun, 'due'> };

/** The view that a period is posted as; `run` is the one that the buttons of the answer come back to. */
export async function digestView(period: ShownPeriod, run: Run, parts: PeopleParts) {
  const look = { place: 'digest', part: firstPart } as const;
  return periodView(period, run, await unreachableIn(period.answer, look, parts));
}

/** The same where it is known who has no account. */
function periodView(
  { answer, digest, run: { due }, lateMs, missed }: ShownPeriod,
  run: Run | null,
  unreachable: ReadonlySet<User['id']> = new Set(),
): { readonly message: Message; readonly details: readonly Message[] } {
  const { timeZone } = digest.schedule;
  const look = { place: 'digest', run, part: firstPart, sharedBy: null, timeZone, unreachable } as const;
  const { message, details } = answerView(answer, look);
  const head = (date: (at: Instant) => string) =>
    [
      `Digest ${titleWords(digest)}`,
      lateMs === null ? `as of ${date(due)}` : `late, with the figures of ${date(due)}`,
      ...(missed.length === 0 ? [] : [`missed before: ${someOf(missed.map(date), MISSED_SHOWN)}`]),
    ].join(' · ');
  return {
    message: {
      text: `${head(utcText)}. ${message.text}`,
      blocks: [context(head(dateMark)), ...message.blocks],
    },
    details,
  };
}

/** More exports of one owner are not unfinished at a time. */
const LATEST = { start: 0, size: 50 };

/** An answer as a digest would be posted, and why it could not be, in sentences (mrkdwn); none: it could. */
export async function answerIn(
  place: DigestPlace,
  answer: Answer,
  principal: Principal,
  parts: AudienceParts & Pick<DigestPostParts, 'answers'>,
): Promise<JudgedAnswer> {
  return place.kind === 'owner'
    ? { answer, reasons: [] }
    : answerForAll(answer, principal, place.channel, parts);
}

/** With which rights a digest runs; fails where its owner left. */
export async function ownerOf(digest: Digest, parts: PeopleParts): Promise<Principal> {
  const principal = await digestPrincipal(digest.owner, parts);
  if (principal !== null) return principal;
  throw new AppError('unknown-person', 'The owner of this digest left.', [
    'Choose a new one with Change owner.',
  ]);
}

/**
 * Fails with the reasons where not everyone in a channel can see a digest; `unavailable` where Slack does not say at the
 * moment who that is, which is no reason to give the period up.
 */
async function checkAudience(
  contents: AudienceScope | null,
  channel: string,
  parts: AudienceParts,
): Promise<void> {
  const reasons = await lastingAudienceProblem(contents, channel, parts);
  if (reasons.length === 0) return;
  const why = 'Not everyone in the channel can see this report.';
  throw new AppError('not-for-this-channel', why, reasons.map(unescapeMrkdwn));
}

const TITLE_LENGTH = 100;

/** The title of a digest in bold, shortened and escaped. */
export function titleWords({ title }: Pick<DigestInput, 'title'>): string {
  return `*${escapeMrkdwn(shorten(title, TITLE_LENGTH))}*`;
}
