import type { DueDigest } from '../../api/digests/digests-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { AppError } from '../../model/error.ts';
import type { Run } from '../../model/question.ts';
import { answerView } from '../answers/answer-view.ts';
import { keepAnswer } from '../answers/keep-answer.ts';
import { firstPart } from '../answers/tell-answer.ts';
import type { DigestPostParts } from '../parts.ts';
import { channelOf } from './channel-of.ts';
import { digestFileInput, digestFileMessage, fileFailure, queueDigestFile } from './digest-file.ts';
import { digestMessage } from './digest-message.ts';
import { digestPrincipal } from './digest-principal.ts';
import { mayBeTold } from './may-be-told.ts';
import { writePeriod } from './period-value.ts';
import { type Ledger, postOnce, type Standing } from './post-once.ts';

/** Posts the message of a period, then what belongs into its thread; goes on where an attempt before ended. */
export async function bringPeriod(due: DueDigest, ledger: Ledger, parts: DigestPostParts): Promise<void> {
  const standing = await bringMessage(due, ledger, parts);
  const { details } = viewOf(due, null);
  for (const [i, detail] of details.entries()) {
    if (i >= Number(ledger.note().details)) await bringDetail(detail, i, standing, due, ledger, parts);
  }
  if (due.digest.file !== null && ledger.note().file === '') {
    await bringFile(due, standing, ledger, parts).catch((error: unknown) => {
      throw fileFailure(error);
    });
  }
}

/** What a period is posted as; `run` is what the buttons of the answer come back to. */
export function viewOf(
  { answer, digest, run: { due }, lateMs, missed }: DueDigest,
  run: Run | null,
): { readonly message: Message; readonly details: readonly Message[] } {
  const { timeZone } = digest.schedule;
  const look = { place: 'digest', run, part: firstPart, sharedBy: null, timeZone } as const;
  const { message, details } = answerView(answer, look);
  return { message: digestMessage({ title: digest.title, due, lateMs, missed }, message), details };
}

async function bringMessage(due: DueDigest, ledger: Ledger, parts: DigestPostParts): Promise<Standing> {
  const { channel, ts } = ledger.note();
  if (ts !== '') return { channel, ts };
  const { digest, run, answer } = due;
  const place = channelOf(digest);
  const standing = await postOnce(
    {
      run: writePeriod({ id: digest.id, due: run.due }),
      part: 'message',
      channel: place,
      threadTs: '',
      async make() {
        if (digest.place.kind === 'channel') {
          const principal = await digestPrincipal(digest.owner, parts);
          const contents = principal === null ? null : await parts.answers.audienceScope(principal, answer);
          await mayBeTold(contents, place, parts);
        }
        const kept = await keepAnswer(digest.owner, answer, parts.answers);
        await ledger.keep({ answer: kept.id });
        return viewOf(due, kept).message;
      },
    },
    ledger,
    parts,
  );
  if (standing === null) {
    await ledger.keep({ unsure: 'yes' });
    throw new AppError(
      'refused-by-slack',
      'Slack gave no answer when it was posted, so it may stand there already.',
      [
        'I may not look: an admin can give the app the scopes channels:history, groups:history, im:history and im:write for that.',
        'Please look yourself; if it is not there, press the button.',
      ],
    );
  }
  await ledger.keep({ ...standing, trying: '' });
  return standing;
}

/** A thread is as good without a part that nobody can tell of, or that Slack does not take. */
async function bringDetail(
  detail: Message,
  index: number,
  { channel, ts }: Standing,
  { digest, run }: DueDigest,
  ledger: Ledger,
  parts: DigestPostParts,
): Promise<void> {
  const mark = { run: writePeriod({ id: digest.id, due: run.due }), part: `detail ${index + 1}` };
  const place = { channel, threadTs: ts, make: async () => detail };
  await postOnce({ ...mark, ...place }, ledger, parts).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    parts.log.warn({ err: error, digestId: digest.id }, 'Slack refused a detail of a digest');
  });
  await ledger.keep({ details: String(index + 1), trying: '' });
}

async function bringFile(
  { digest, run, answer }: DueDigest,
  { channel, ts }: Standing,
  ledger: Ledger,
  parts: DigestPostParts,
): Promise<void> {
  const { answers, accounts, exports } = parts;
  const { owner, file } = digest;
  const principal = await digestPrincipal(owner, parts);
  const request = principal === null ? null : await answers.requestOf(principal, digest.question, run.due);
  if (file === null || request === null) return ledger.keep({ file: 'yes' });
  if (digest.place.kind === 'channel') {
    await mayBeTold(
      principal === null ? null : await answers.audienceScope(principal, answer),
      channel,
      parts,
    );
  }
  const { name: userName } = await accounts.profileOf(owner);
  const wish = await digestFileInput(file, request, userName, parts);
  const total = await exports.count(wish);
  if (total === 0) return ledger.keep({ file: 'yes' });
  if (ledger.note().fileTs === '') {
    const standing = await postOnce(
      {
        run: writePeriod({ id: digest.id, due: run.due }),
        part: 'file',
        channel,
        threadTs: ts,
        make: async () => digestFileMessage(wish, { owner, userName, total }, parts),
      },
      ledger,
      parts,
    );
    if (standing === null) {
      throw new AppError(
        'refused-by-slack',
        'Slack gave no answer when the file was begun, and I may not look what became of it.',
        ['Ask for the file with /tis export.'],
      );
    }
    await ledger.keep({ fileTs: standing.ts, trying: '' });
  }
  const note = { channel, messageTs: ledger.note().fileTs, threadTs: ts, user: owner, userName };
  await queueDigestFile(wish, note, parts);
  await ledger.keep({ file: 'yes' });
}
