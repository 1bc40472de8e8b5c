import type { Phrases } from './phrases.ts';

const places = [
  'in Berlin',
  'in New York',
  'in the warehouse',
  'at the reception',
  'in the photo studio',
] as const;

const machines = [
  'the build server',
  'the mail gateway',
  'the order database',
  'the file store',
  'the label printers',
  'the phone system',
  'the backup host',
  'the till network',
] as const;

export const opsPhrases: Phrases = {
  Incident: [
    [
      [
        'Order import',
        'Stock sync',
        'Nightly backup',
        'Price feed',
        'Invoice run',
        'Search indexing',
        'Newsletter dispatch',
      ],
      ['failed', 'is late', 'stopped half-way', 'runs in a loop', 'reports zero rows', 'timed out twice'],
      [
        '',
        'for the second time this month',
        'since the last release',
        'on the standby host',
        'on one of two nodes',
      ],
    ],
    [
      ['Disk almost full', 'High load', 'No answer', 'Many errors', 'Memory running low'],
      ['on'],
      machines,
      ['', 'since midnight', 'every few minutes', 'after the restart', 'during the backup'],
    ],
    [
      ['Payments', 'Sign-ins', 'Orders', 'Order mails', 'Deliveries'],
      [
        'are slower than usual',
        'fail for some customers',
        'have dropped to zero',
        'arrive twice',
        'wait in the queue',
      ],
      ['', 'from one region', 'since the last deployment', 'with gift cards', 'outside office hours'],
    ],
  ],
  'Service Request': [
    [
      [
        'New laptop',
        'Second screen',
        'Access card',
        'Headset',
        'Standing desk',
        'Desk phone',
        'Key for the bicycle room',
      ],
      [
        'for a new colleague',
        'for the support team',
        'for the finance team',
        'for a trainee',
        'for the buyers',
      ],
      [...places],
    ],
    [
      ['Access to', 'More space on', 'A test account for', 'A guest account for'],
      [
        'the reporting folder',
        'the order database',
        'the shared calendar',
        'the supplier portal',
        'the photo archive',
        'the warehouse planner',
      ],
      ['', 'for the auditors', 'for the summer staff', 'for an agency', 'until the end of the quarter'],
    ],
    [
      ['Printer', 'Meeting room screen', 'Wireless network', 'Door lock', 'Label scanner', 'Coffee till'],
      [
        'does not respond',
        'is very slow',
        'needs a restart every day',
        'shows a warning',
        'makes a strange noise',
      ],
      [...places],
    ],
    [
      ['Reset the password of', 'Close the account of', 'Move the mailbox of', 'Restore a folder of'],
      [
        'a colleague',
        'the night shift',
        'a former colleague',
        'the press office',
        'the buying team',
        'the shop in the old town',
      ],
      ['', 'by Friday', 'before the audit', 'as agreed on the phone'],
    ],
  ],
  Bug: [
    [
      ['Shift planner', 'Stock report', 'Returns desk', 'Label printer queue', 'Supplier portal'],
      [
        'shows the wrong week',
        'loses its settings',
        'prints blank pages',
        'rejects correct passwords',
        'is in the wrong time zone',
        'sends every mail twice',
      ],
      ['', 'since the update', 'on one workstation', 'after a restart', 'at the end of the month'],
    ],
  ],
  Task: [
    [
      [
        'Renew the certificate of',
        'Update',
        'Replace the disks of',
        'Move',
        'Write a runbook for',
        'Test the restore of',
      ],
      machines,
    ],
    [
      [
        'Review the access rights of',
        'Order spare parts for',
        'Check the alarms of',
        'Plan the maintenance of',
      ],
      machines,
      ['', 'before winter', 'with the supplier'],
    ],
  ],
};
