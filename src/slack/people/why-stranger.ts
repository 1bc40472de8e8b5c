import type { Profile } from './profile.ts';
import { whyNobody } from './why-nobody.ts';

/** Why an account may not ask without being a user of the tracker, in a sentence; null for a full member who works here. */
export function whyStranger(profile: Profile): string | null {
  if (profile.refused === 'missing_scope') {
    return 'Slack does not let me see who you are: an admin has to install the app again with the scope users:read.';
  }
  if (profile.isGuest) return 'You are a guest here.';
  return whyNobody(profile);
}
