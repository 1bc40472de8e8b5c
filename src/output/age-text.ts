import { millisecondsInDay } from 'date-fns/constants';
import { unitLengths } from './duration-text.ts';

/** How long ago something was, as people say it: `just now`, `2 min ago`, `3 h 5 min ago`, `4 days ago`. Expects ms. */
export function ageText(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / unitLengths.minutes);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (ms < millisecondsInDay) {
    const rest = minutes % 60;
    return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`} ago`;
  }
  const days = Math.floor(ms / millisecondsInDay);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}
