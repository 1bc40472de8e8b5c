import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import { notice } from '../messages/notice.ts';
import type { SlackModal } from '../modal.ts';
import type { WatchParts } from '../parts.ts';
import { askingOf } from '../questions/read-question.ts';
import { typedSentences } from '../questions/typed-sentences.ts';
import { beginWatch } from '../watches/begin-watch.ts';
import { namesOf } from '../watches/read-status.ts';
import { formPlace, readWatchForm, watchOfForm } from '../watches/read-watch-form.ts';
import { watchFormView } from '../watches/watch-form-view.ts';

/** The form of a new watch, submitted; it comes back as it was filled in when something is wrong. */
export const watchForm: SlackModal<WatchParts> = {
  id: 'watch-form',
  title: 'New watch',
  meanwhile: 'Looking what sits there now…',
  placeOf: formPlace,
  async answer(submission, parts) {
    const account = submission.principal.account;
    const form = readWatchForm(submission);
    const asking = await askingOf(account, { channel: form.place }, parts);
    const statuses = await parts.reporting.statuses(asking.principal);
    try {
      const { wish, remarks } = await watchOfForm(form, asking, statuses);
      return await beginWatch(wish, remarks, account, parts);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      const wrong = typedSentences(error).join(' ');
      const choices = { statuses: namesOf(statuses), calendars: asking.calendars, wrong };
      return {
        ...notice(`Nothing is watched yet. ${escapeMrkdwn(wrong)}`),
        again: watchFormView(form, choices),
      };
    }
  },
};
