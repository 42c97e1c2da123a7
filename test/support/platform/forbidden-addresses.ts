import type { OutboundFault } from '../../../src/platform/index.ts';

/** An address that others may not name. */
export interface ForbiddenAddress {
  readonly url: string;
  readonly kind: OutboundFault;
  /** The addresses to which its name resolves; undefined if no name may be resolved. */
  readonly answer?: readonly string[];
}

/** Spellings of 127.0.0.1, 0.0.0.0 and 127.0.0.2 as the host of a URL. Each of them reaches this machine. */
export const LOOPBACK_SPELLINGS: readonly string[] = [
  // Four parts, in decimal, octal and hexadecimal, alone and mixed.
  ...['127.0.0.1', '127.0.0.2', '0.0.0.0', '127.0.0.01', '127.00.00.01', '0177.0.0.1', '0177.00.00.01'],
  ...['00000177.0.0.1', '0x7f.0.0.1', '0x7F.0X0.0x0.0x1', '127.0x0.00.1', '0x0.0x0.0x0.0x0', '0000.0.0.0'],
  // Fewer parts, of which the last has the remaining bytes.
  ...['127.1', '127.0.1', '127.0x1', '0177.1', '0x7f.1', '0x7f.0.01', '0', '00', '0x0', '0.0', '0.0.0', '0x'],
  ...['2130706433', '017700000001', '0x7f000001', '0x7F000001', '0x000000007f000001'],
  // A final dot.
  ...['127.0.0.1.', '2130706433.', '0x7f.1.', '0.'],
  // Percent signs.
  ...['%31%32%37%2e%30%2e%30%2e%31', '127%2E0%2E0%2E1', '%30', '127.0.0.%31'],
  // Digits, letters and dots that Unicode maps to ASCII, and characters that it removes.
  ...[
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    '𝟙𝟚𝟟.𝟘.𝟘.𝟙',
    '¹²⁷.⁰.⁰.¹',
    '₁₂₇.₀.₀.₁',
    '127。0。0。1',
    '127．0．0．1',
  ],
  ...['127｡0｡0｡1', '０ｘ７ｆ.1', '0ⓧ7ⓕ000001', '127.0.0.1\u00ad', '127.\u200b0.0.1', '127.0.0.\u20601', '127.0.0.1。'],
  // Characters that the URL parser removes.
  ...['127.0.\t0.1', '127.\n0.0.1', '127.0.0\r.1'],
];

/** Names for this machine that need no resolver. */
export const LOCAL_NAMES: readonly string[] = [
  ...[
    'localhost',
    'LOCALHOST',
    'LocalHost',
    'localhost.',
    'localhost..',
    'x.localhost',
    'a.b.localhost',
    'x.localhost.',
  ],
  ...['loc%61lhost', 'ｌｏｃａｌｈｏｓｔ', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'ℓocalhost', 'localhoſt', 'local\u00adhost', 'localhost。'],
];

/** IPv6 addresses of this machine, of private networks and of reserved ranges. */
const IPV6: readonly string[] = [
  ...['::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0.0.0.1', '::', '0::0', '::2'],
  // IPv4 in IPv6: compatible, mapped, translated, NAT64 and 6to4.
  ...['::127.0.0.1', '::7f00:1', '::10.0.0.5', '::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:7F00:0001'],
  ...['0:0:0:0:0:ffff:127.0.0.1', '::ffff:0.0.0.0', '::ffff:10.0.0.5', '::ffff:192.168.1.1', '::ffff:169.254.169.254'],
  ...['::ffff:a9fe:a9fe', '::ffff:6464:64c8', '::ffff:a83f:8110', '::ffff:0:127.0.0.1', '::ffff:0:a9fe:a9fe'],
  ...[
    '64:ff9b::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::10.0.0.1',
    '64:ff9b::',
    '64:ff9b::c000:c0',
  ],
  ...['64:ff9b:1::7f00:1', '64:ff9b:1:7f00:0:100::', '2002:7f00:1::', '2002:a00:1::', '2002:a9fe:a9fe::1'],
  ...['2002:c0a8:101::1', '2002:101:101::', '2001:0:7f00:1::', '2001::1', '2001:0:53aa:64c:0:0:80ff:fffe'],
  // Link-local, site-local, unique local, multicast, discarded and reserved.
  ...['fe80::1', 'febf::1', 'fec0::1', 'fc00::1', 'fd00::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ff02::1'],
  ...['ff0e::1', '100::1', '2001:db8::1', '2001:2::1', '2001:10::1', '2001:20::1', '3fff::1', '5f00::1', '4000::1'],
];

/** IPv4 addresses of private networks, of reserved ranges and of the metadata services of clouds. */
const IPV4: readonly string[] = [
  ...['10.0.0.1', '10.255.255.255', '10.1', '167772161', '012.0.0.1', '0xa.1', '172.16.0.1', '172.31.255.255'],
  ...['172.1048577', '0xac.0x10.0.1', '192.168.0.1', '192.168.257', '3232235777', '0300.0250.1.1', '0xc0a80101'],
  ...['100.64.0.1', '100.127.255.255', '0.1.2.3', '0.255.255.255', '169.254.0.1', '192.0.0.1', '192.0.2.1'],
  ...['192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255', '4294967295', '0xffffffff', '127.255.255.254'],
  // Amazon, Google, Azure and others, in every notation; Tencent; Scaleway; Alibaba; Oracle; the host of Azure.
  ...['169.254.169.254', '169.254.43518', '169.16689662', '2852039166', '0xa9fea9fe', '0xa9.0xfe.0xa9.0xfe'],
  ...['0251.0376.0251.0376', '025177524776', '169.254.0xa9.0376', '１６９.２５４.１６９.２５４', '169。254。169。254'],
  ...[
    '169.254.170.2',
    '169.254.0.23',
    '169.254.42.42',
    '100.100.100.200',
    '1684301000',
    '192.0.0.192',
    '168.63.129.16',
  ],
  '0xa83f8110',
];

const METADATA_IPV6: readonly string[] = ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:42::42'];

/** Names that resolve to this machine, a private network or a metadata service, alone or beside a public address. */
const NAMES: readonly (readonly [name: string, ...answer: readonly string[]])[] = [
  ['metadata.google.internal', '169.254.169.254'],
  ['metadata.google.internal.', '169.254.169.254'],
  ['METADATA.GOOGLE.INTERNAL', '169.254.169.254', 'fd20:ce::254'],
  ['metadata.goog', '169.254.169.254'],
  ['instance-data.ec2.internal', '169.254.169.254'],
  ['metadata.tencentyun.com', '169.254.0.23'],
  ['metadata.azure.internal', '168.63.129.16'],
  ['api.metadata.cloud.ibm.com', '169.254.169.254'],
  ['metadata.platformequinix.com', '192.0.2.1'],
  ['kubernetes.default.svc.cluster.local', '10.96.0.1'],
  ['host.docker.internal', '172.17.0.1'],
  ['gateway.docker.internal', '192.168.65.1'],
  ['consul.service.consul', '10.0.0.8'],
  ['printer.local', 'fe80::1'],
  ['printer.local', 'fe80::1%eth0'],
  ['router.home.arpa', '192.168.1.1'],
  ['localtest.me', '127.0.0.1'],
  ['127.0.0.1.nip.io', '127.0.0.1'],
  ['7f000001.nip.io', '127.0.0.1'],
  ['169-254-169-254.sslip.io', '169.254.169.254'],
  ['localhost.localdomain', '127.0.0.1'],
  ['ip6-localhost', '::1'],
  ['localhost6', '::1'],
  ['intranet', '10.0.0.5'],
  ['xn--bcher-kva.example', '127.0.0.1'],
  ['bücher.example', '127.0.0.1'],
  ['ｎａｍｅ.example', '127.0.0.1'],
  ['name。example', '127.0.0.1'],
  ['name.example', '127.0.0.1'],
  ['name.example', '0.0.0.0'],
  ['name.example', '::'],
  ['name.example', '::ffff:127.0.0.1'],
  ['name.example', '::ffff:7f00:1'],
  ['name.example', '64:ff9b::7f00:1'],
  ['name.example', '2002:7f00:1::'],
  ['name.example', '1.1.1.1', '127.0.0.1'],
  ['name.example', '127.0.0.1', '1.1.1.1'],
  ['name.example', '2606:4700::1111', '::1'],
  ['name.example', '1.1.1.1', '2606:4700::1111', 'fd00::1'],
  ['name.example', '1.1.1.1', '1.0.0.1', '8.8.8.8', '169.254.169.254'],
  ['name.example', '1.1.1.1', '::ffff:10.0.0.5'],
  // Answers that no resolver should give.
  ['name.example'],
  ['name.example', ''],
  ['name.example', 'localhost'],
  ['name.example', '127.1'],
  ['name.example', '2130706433'],
  ['name.example', '1.1.1.1 '],
];

/** Texts around the host that readers and parsers understand in different ways. The host is this machine. */
const DISGUISED: readonly string[] = [
  ...['https:127.0.0.1', 'https:/127.0.0.1', 'https:///127.0.0.1', 'https:\\\\127.0.0.1', 'HTTPS://127.0.0.1'],
  ...[' https://127.0.0.1', '\u0000https://127.0.0.1', 'ht\ntps://127.0.0.1', 'https://127.0.0.1\\@name.example'],
  ...['https://127.0.0.1#@name.example', 'https://127.0.0.1?@name.example', 'https://127.0.0.1/@name.example'],
  ...['https://127.0.0.1:22', 'https://127.0.0.1:0443/', 'https://127.0.0.1:/', 'https://:@127.0.0.1/'],
  ...['http://127.0.0.1', 'http://[::1]', 'http://10.0.0.5', 'http://169.254.169.254/latest/meta-data/'],
];

/** The same with a name that resolves to this machine. */
const DISGUISED_NAMES: readonly string[] = [
  ...['https://name.example\\@127.0.0.1', 'https://name.example#@1.1.1.1', 'https://name.example?@1.1.1.1'],
  ...[
    'https://1.1.1.1.name.example',
    'https://1.1.1.1-name.example',
    'https://name.example:8443',
    'https:name.example',
  ],
];

/** Texts that are not a URL with http or https, or that contain credentials. */
const BAD_ADDRESSES: readonly string[] = [
  ...['https://name.example@127.0.0.1', 'https://127.0.0.1@name.example', 'https://127.0.0.1:80@name.example'],
  ...['https://127.0.0.1%2f@name.example', 'https://user:@name.example', 'https://:word@name.example'],
  ...[
    'https://name.example%40@127.0.0.1',
    'https://a@b@127.0.0.1',
    'http://user:word@127.0.0.1',
    'http:user@127.0.0.1',
  ],
  ...['https://127.0.0.1%00.name.example', 'https://name.example%00', 'https://127.0.0.1%2f.name.example'],
  ...['https://name.example%23@127.0.0.1', 'https://[::1%25lo]', 'https://[fe80::1%25eth0]', 'https://[fe80::1%eth0]'],
  ...[
    'https://[::1',
    'https://::1',
    'https://[127.0.0.1]',
    'https://[::ffff:127.1]',
    'https://[v1.fe80]',
    'https://[]',
  ],
  ...['https://256.0.0.1', 'https://127.0.0.256', 'https://4294967296', 'https://0x100000000', 'https://127.0.0.1.5'],
  ...['https://09.0.0.1', 'https://127..1', 'https://127.0.0.1:65536', 'https://127.0.0.1:x'],
  ...['https://', 'https:///', 'http://', 'https://%', 'https://a b', '', ' ', '127.0.0.1', '//127.0.0.1'],
  ...['file:///etc/passwd', 'ftp://127.0.0.1/', 'gopher://127.0.0.1:25/', 'dict://127.0.0.1/', 'ldap://127.0.0.1/'],
  ...[
    'ws://127.0.0.1/',
    'wss://name.example/',
    'data:,x',
    'javascript:1',
    'blob:https://name.example/1',
    'about:blank',
  ],
  ...['jar:https://name.example!/', 'view-source:https://name.example', 'unix:/run/docker.sock', 'tftp://127.0.0.1/'],
];

/** Public machines by http. */
const NOT_HTTPS: readonly string[] = [
  ...[
    'http://1.1.1.1',
    'http://16843009',
    'http://[2606:4700::1111]',
    'http://[::ffff:1.1.1.1]',
    'http://name.example',
  ],
  ...['HTTP://name.example', 'http:name.example', 'http://name.example:443', 'http://metadata.google.internal'],
];

/**
 * Lists the addresses that others may not name if no range is allowed.
 *
 * @param port the port of a listener on this machine, for the addresses that would reach it
 */
export function listForbiddenAddresses(port: number): readonly ForbiddenAddress[] {
  const literals = [
    ...LOOPBACK_SPELLINGS,
    ...LOCAL_NAMES,
    ...IPV4,
    ...[...IPV6, ...METADATA_IPV6].map((ip) => `[${ip}]`),
  ];
  return [
    ...literals.map((host) => ({ url: `https://${host}:${port}/`, kind: 'not_public' }) as const),
    ...NAMES.map(([host, ...answer]) => ({ url: `https://${host}:${port}/`, kind: 'not_public', answer }) as const),
    ...DISGUISED.map((url) => ({ url, kind: 'not_public' }) as const),
    ...DISGUISED_NAMES.map((url) => ({ url, kind: 'not_public', answer: ['127.0.0.1'] }) as const),
    ...BAD_ADDRESSES.map((url) => ({ url, kind: 'bad_address' }) as const),
    ...NOT_HTTPS.map((url) => ({ url, kind: 'not_https' }) as const),
  ];
}
