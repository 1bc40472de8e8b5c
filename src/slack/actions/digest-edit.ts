import type { SlackAction } from '../action.ts';
import { digestAskerHere } from '../digests/digest-asker-here.ts';
import { digestFormView } from '../digests/digest-form-view.ts';
import { questionText } from '../digests/question-text.ts';
import { writtenSchedule } from '../digests/written-schedule.ts';
import { openLateView } from '../open-late-view.ts';
import { askerOf } from '../people/asker-of.ts';

/** *Edit* beside a digest; its value is the id. */
export const digestEdit: SlackAction = {
  id: 'digest-edit',
  run({ value, asker: { user }, place, open }, parts) {
    const make = async () => {
      const digest = await parts.digests.get(await digestAskerHere(user, parts), value);
      const calendars = await parts.settings.calendars(await askerOf(user, parts));
      const { title, question, schedule, workingDays, file } = digest;
      const isInChannel = digest.place.kind === 'channel';
      const at = isInChannel ? { channel: digest.place.channel, threadTs: null } : place;
      const form = {
        id: value,
        at,
        title,
        question: questionText(question),
        when: writtenSchedule(schedule.cron),
        timeZone: schedule.timeZone,
        place: isInChannel ? 'here' : 'owner',
        channel: '',
        workingDays: workingDays ?? '',
        file: file ?? '',
      } as const;
      return digestFormView(form, calendars, null);
    };
    const view = { title: 'Change a digest', meanwhile: 'Looking it up…', make };
    return openLateView({ ...view, advice: 'Please press the button again.' }, open, parts);
  },
};
