/**
 * Import rules between folders. Each rule has a fixture of the same name in test/import-rules/fixtures that violates it.
 * Packages resolve to paths under node_modules, so a rule about a package has to include that prefix.
 */
const MODULE = '^src/modules/(commercial/[^/]+|[^/]+)/';
const TESTS = ['\\.test\\.tsx?$', '/testing/'];
const SQL = ['^src/modules/(commercial/)?[^/]+/sql/', '^src/modules/(commercial/)?[^/]+/sql\\.ts$'];
const PUBLIC_ENTRIES = ['^src/modules/(commercial/)?[^/]+/index\\.ts$'];

/**
 * Constants and pure functions of a module that its SQL statements need too. They import only each other and
 * src/platform/text, so that a statement which imports one cannot reach business rules through it.
 */
const CONSTANTS = [
  '^src/modules/branches/(fields|geo|opening|working-hours)\\.ts$',
  '^src/modules/orders/order-fields\\.ts$',
  '^src/modules/events/(event-types|outbox-entry)\\.ts$',
  '^src/modules/products/product\\.ts$',
  '^src/modules/webhooks/delivery\\.ts$',
];

module.exports = {
  forbidden: [
    {
      name: 'no-circular-imports',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'platform-imports-no-modules',
      comment: 'The platform serves the modules and imports none of them.',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: TESTS },
      to: { path: '^src/(?!platform/)' },
    },
    {
      name: 'modules-import-public-entries-only',
      comment: 'A module imports only the index.ts of another module.',
      severity: 'error',
      from: { path: MODULE, pathNot: TESTS },
      to: { path: MODULE, pathNot: ['^src/modules/$1/', ...PUBLIC_ENTRIES] },
    },
    {
      name: 'application-imports-public-entries-only',
      comment: 'Code outside the modules (app, CLI, demo) imports only their index.ts.',
      severity: 'error',
      from: { path: '^src/(?!modules/)', pathNot: TESTS },
      to: { path: MODULE, pathNot: PUBLIC_ENTRIES },
    },
    {
      name: 'modules-import-no-application-code',
      comment: 'The code that composes the service imports the modules, never the other way round.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: TESTS },
      to: { path: '^src/(?!modules/|platform/|channels/|providers/)' },
    },
    {
      name: 'rules-import-no-routes',
      comment: 'Routes call rules and rules call SQL, never the other way round.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: ['/index\\.ts$', 'routes\\.ts$', ...TESTS] },
      to: { path: '^src/modules/.*routes\\.ts$' },
    },
    {
      name: 'sql-imports-platform-only',
      comment: 'SQL statements import the platform, each other and constants. Type imports are unrestricted.',
      severity: 'error',
      from: { path: SQL, pathNot: TESTS },
      to: {
        dependencyTypesNot: ['type-only'],
        path: ['^src/', 'node_modules/'],
        pathNot: [
          '^src/platform/(database|text)/',
          '^src/platform/[^/]+\\.ts$',
          '^src/platform/http/paging\\.ts$',
          ...SQL,
          ...CONSTANTS,
        ],
      },
    },
    {
      name: 'constants-import-no-rules',
      comment: 'Files that SQL statements may import must not import business rules.',
      severity: 'error',
      from: { path: CONSTANTS },
      to: { dependencyTypesNot: ['type-only'], pathNot: [...CONSTANTS, '^src/platform/(text/|local-day\\.ts$)'] },
    },
    {
      name: 'billing-and-identity-import-no-commercial',
      comment: 'commercial depends on billing and identity, never the other way round.',
      severity: 'error',
      from: { path: '^src/modules/(commercial/billing|identity)/' },
      to: { path: '^src/modules/commercial/fleet/' },
    },
    {
      name: 'forecast-imports-nothing',
      comment: 'The forecast is a pure function of numbers: no database, no clock, no package.',
      severity: 'error',
      from: { path: '^src/modules/analytics/forecast/', pathNot: TESTS },
      to: { pathNot: '^src/modules/analytics/forecast/' },
    },
    {
      name: 'vendors-import-contract-only',
      comment:
        'A channel or provider translates formats: it imports its contract, money, outbound calls and signatures only.',
      severity: 'error',
      from: { path: '^src/(channels|providers)/([^/]+)/', pathNot: ['^src/(channels|providers)/contract/', ...TESTS] },
      to: {
        pathNot: [
          '^src/$1/$2/',
          '^src/$1/contract\\.ts$',
          '^src/platform/money(\\.ts$|/)',
          '^src/platform/(in|out)bound/index\\.ts$',
          '^(node:)?crypto$',
        ],
      },
    },
    {
      name: 'vendors-are-imported-through-list',
      comment:
        'Other code imports list.ts, which names the vendors, and contract.ts, which declares their capabilities.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(channels|providers)/', ...TESTS] },
      to: { path: '^src/(channels|providers)/', pathNot: '^src/(channels|providers)/(list|contract)\\.ts$' },
    },
    {
      name: 'vendor-list-imports-vendors-only',
      comment: 'list.ts and contract.ts are the public entries to the vendors and follow the same limits.',
      severity: 'error',
      from: { path: '^src/(channels|providers)/([^/]+\\.ts$|contract/)', pathNot: TESTS },
      to: {
        pathNot: [
          '^src/$1/([^/]+/index|contract)\\.ts$',
          '^src/(channels|providers)/contract(\\.ts$|/)',
          '^src/platform/money(\\.ts$|/)',
          '^src/platform/(in|out)bound/index\\.ts$',
        ],
      },
    },
    {
      name: 'features-import-no-other-feature',
      comment: 'Pages of the console share code through ui, charts or platform.',
      severity: 'error',
      from: { path: '^console/src/features/([^/]+)/' },
      to: { path: '^console/src/features/', pathNot: '^console/src/features/$1/' },
    },
    {
      name: 'features-import-shared-code-only',
      comment: 'Besides packages: ui, charts, platform, the translations, and the SDK for all data of the service.',
      severity: 'error',
      from: { path: '^console/src/features/', pathNot: TESTS },
      to: {
        path: '^(console|sdk|src|test|bench|scripts)/',
        pathNot: ['^console/src/(features|ui|charts|platform|i18n)/', '^sdk/src/'],
      },
    },
    {
      name: 'shared-console-code-imports-no-features',
      severity: 'error',
      from: { path: '^console/src/(ui|charts|platform|i18n)/', pathNot: TESTS },
      to: { path: '^console/src/(?!ui/|charts/|platform/|i18n/)' },
    },
    {
      name: 'console-imports-no-service',
      comment: 'The console is an API client like any other.',
      severity: 'error',
      from: { path: '^console/src/' },
      to: { path: '^(src|bench|scripts|migrations)/' },
    },
    {
      name: 'sdk-imports-nothing',
      comment: 'The SDK runs wherever fetch exists: no package, no Node API, no code of the service.',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: TESTS },
      to: { pathNot: '^sdk/src/' },
    },
    {
      name: 'service-imports-no-console',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: '^console/' },
    },
    {
      name: 'service-imports-no-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: ['^test/', '^bench/', ...TESTS] },
    },
    {
      name: 'service-imports-no-dev-packages',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'imports-resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Violations on purpose.
    exclude: { path: ['^test/import-rules/fixtures/', '^console/dist/'] },
    // TypeScript 7 has no API that this tool can use yet.
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['dukkan-source', 'import', 'node', 'default', 'types'],
    },
  },
};
