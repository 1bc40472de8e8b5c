import { h, svg } from './dom.js';

/** Somebody's picture: initials on a colour that stays theirs; the app and Slackbot have their own. */
export function avatar(who, state, size = 36) {
  const box = (kind, ...content) =>
    h(
      'span',
      {
        class: `avatar ${kind}`,
        style: { width: `${size}px`, height: `${size}px`, fontSize: `${Math.round(size * 0.4)}px` },
        'aria-hidden': 'true',
      },
      content,
    );
  if (who === state.app.user) return box('avatar-app', appMark(size));
  if (who === 'USLACKBOT') return box('avatar-slackbot', slackbotMark(size));
  const at = state.people.findIndex(({ id }) => id === who);
  const name = state.people[at]?.realName ?? '?';
  const initials = name
    .split(/\s+/)
    .map((word) => word[0])
    .slice(0, 2)
    .join('')
    .toUpperCase();
  return box(`avatar-${(at + 6) % 6}`, initials);
}

function appMark(size) {
  return svg(
    'svg',
    {
      viewBox: '0 0 32 32',
      width: size * 0.72,
      height: size * 0.72,
      fill: 'none',
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    },
    svg('path', { d: 'M9 6v20h6a10 10 0 0 0 0-20z', stroke: '#fff', 'stroke-width': '3.2' }),
    svg('path', { d: 'M15 11.500v5l3.200 2', stroke: '#ecb22e', 'stroke-width': '2.600' }),
  );
}

function slackbotMark(size) {
  return svg(
    'svg',
    { viewBox: '0 0 32 32', width: size * 0.8, height: size * 0.8, fill: 'none', 'stroke-linecap': 'round' },
    svg('rect', { x: '5', y: '8', width: '22', height: '17', rx: '7', fill: '#fff' }),
    svg('circle', { cx: '12', cy: '16', r: '2', fill: '#1d1c1d' }),
    svg('circle', { cx: '20', cy: '16', r: '2', fill: '#1d1c1d' }),
    svg('path', { d: 'M12.500 20.500q3.500 2.200 7 0', stroke: '#1d1c1d', 'stroke-width': '1.800' }),
  );
}

/** The name shown beside what somebody wrote. */
export function nameOf(who, state) {
  if (who === state.app.user) return state.app.name;
  if (who === 'USLACKBOT') return 'Slackbot';
  return state.people.find(({ id }) => id === who)?.realName ?? who;
}
