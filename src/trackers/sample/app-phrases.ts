import type { Phrases } from './phrases.ts';

const where = [
  'after an update',
  'without a connection',
  'on tablets',
  'in dark mode',
  'when the phone is turned',
  'with large text',
  'after a long pause',
  'on older phones',
  'while a call comes in',
  '',
] as const;

const tidying = [
  'the start screen',
  'the offline cache',
  'the push service',
  'the sign-in flow',
  'the crash reports',
  'the picture loader',
  'the release script',
  'the deep links',
  'the test devices',
] as const;

const occasion = [
  '',
  'before the summer sale',
  'after last week’s outage',
  'as agreed in the retrospective',
  'while it is quiet',
] as const;

export const appPhrases: Phrases = {
  Bug: [
    [
      ['Start screen', 'Order list', 'Product view', 'Map of shops'],
      [
        'stays blank',
        'freezes for seconds',
        'closes without a word',
        'loads twice',
        'shows yesterday’s data',
      ],
      where,
    ],
    [
      ['Barcode scanner', 'Fingerprint sign-in', 'Password reset', 'Voice search'],
      [
        'fails at the first attempt',
        'asks for permission again and again',
        'stops without a message',
        'drains the battery',
        'never answers',
      ],
      where,
    ],
    [
      ['Push message', 'Delivery alert', 'Badge on the icon'],
      [
        'opens the wrong order',
        'repeats every hour',
        'stays after reading',
        'shows a raw placeholder',
        'is cut off',
      ],
      where,
    ],
    [
      ['Basket tab', 'Payment sheet', 'Loyalty card', 'Wish list tab'],
      [
        'forgets the chosen card',
        'adds every item twice',
        'hides its last button',
        'shows the wrong currency',
        'ignores the voucher',
      ],
      where,
    ],
  ],
  Story: [
    [
      ['Remind people of', 'Notify people about', 'Add a widget for'],
      [
        'a forgotten basket',
        'a delivery on its way',
        'a price drop',
        'the next tea delivery',
        'points about to expire',
        'a product back in stock',
      ],
      ['', 'on the lock screen', 'at a time of their choice', 'on the watch'],
    ],
    [
      ['Sign in', 'Pay', 'Confirm an order', 'Collect points', 'Join a subscription'],
      [
        'with a fingerprint',
        'with one tap',
        'by scanning a code',
        'without an account',
        'from the start screen',
      ],
    ],
    [
      ['Browse', 'Search', 'Share', 'Rate', 'Sort'],
      ['past orders', 'the wish list', 'nearby shops', 'brewing guides', 'new arrivals', 'gift cards'],
      ['offline', 'on tablets', 'by voice', 'with friends', 'with fewer taps'],
    ],
  ],
  Task: [
    [['Rework', 'Measure', 'Simplify', 'Document', 'Translate'], tidying, occasion],
    [
      ['Remove old code from', 'Add tests for', 'Fix the warnings in', 'Prepare the next system version for'],
      tidying,
      occasion,
    ],
  ],
};
