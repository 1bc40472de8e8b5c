import { kindOf } from '../../questions/index.ts';
import type { SlackAction } from '../action.ts';
import { digestFormView } from '../digests/digest-form-view.ts';
import { digestAskerHere } from '../digests/digest-principal-here.ts';
import { writtenSchedule } from '../digests/written-schedule.ts';
import { openLateView } from '../open-late-view.ts';
import type { DigestParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

/** *Edit* beside a digest; its value is the id. */
export const digestEdit: SlackAction<DigestParts> = {
  id: 'digest-edit',
  run({ value, principal: { account: user }, place, open }, parts) {
    const make = async () => {
      const digest = await parts.digests.get(await digestAskerHere(user, parts), value);
      const calendars = await parts.settings.calendars(await resolvePrincipal(user, parts));
      const { title, question, schedule, workingDays, file } = digest;
      const isInChannel = digest.place.kind === 'channel';
      const at = isInChannel ? { channel: digest.place.channel, threadTs: null } : place;
      const form = {
        id: value,
        at,
        title,
        question: kindOf(question).title(question),
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
