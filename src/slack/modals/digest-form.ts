import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { digestFiles } from '../../model/digest.ts';
import { AppError, sentencesOf } from '../../model/error.ts';
import { oneOf } from '../../questions/parse/typed-words.ts';
import { readZone } from '../calendars/read-zone.ts';
import { changeDigest } from '../digests/change-digest.ts';
import { digestFormView } from '../digests/digest-form-view.ts';
import { makeDigest } from '../digests/make-digest.ts';
import { readDigestForm, wrongInDigestForm } from '../digests/read-digest-form.ts';
import { readSchedule } from '../digests/read-schedule.ts';
import { notice } from '../messages/notice.ts';
import type { SlackModal } from '../modal.ts';
import type { DigestParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

/** The form of a digest, submitted; it comes back as it was filled in when something is wrong. */
export const digestForm: SlackModal<DigestParts> = {
  id: 'digest-form',
  title: 'Digest',
  meanwhile: 'Looking whether it can come like that…',
  wrongAtOnce: wrongInDigestForm,
  placeOf: (submission) => readDigestForm(submission).at,
  async answer(submission, parts) {
    const account = submission.principal.account;
    const form = readDigestForm(submission);
    const words = {
      title: form.title.trim() === '' ? null : form.title.trim(),
      question: form.question,
      cron: readSchedule(form.when),
      place: form.channel === '' ? form.place : ('here' as const),
      timeZone: readZone(form.timeZone),
      workingDays: form.workingDays === '' ? null : form.workingDays,
      file: oneOf(digestFiles, form.file) ?? null,
    };
    const at = form.channel === '' ? form.at : { channel: form.channel, threadTs: null };
    try {
      return form.id === null
        ? await makeDigest(words, account, at, parts)
        : await changeDigest(form.id, words, account, at, parts);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      const wrong = sentencesOf(error).join(' ');
      const calendars = await parts.settings.calendars(await resolvePrincipal(account, parts));
      return {
        ...notice(`Nothing is changed. ${escapeMrkdwn(wrong)}`),
        again: digestFormView(form, calendars, wrong),
      };
    }
  },
};
