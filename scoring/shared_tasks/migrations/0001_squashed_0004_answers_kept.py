import django.db.models.deletion
import django.db.models.functions.text
import scoring.models.runs
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('shared_tasks', '0001_initial'), ('shared_tasks', '0002_training_and_datasheet'), ('shared_tasks', '0003_jobs'), ('shared_tasks', '0004_answers_kept')]

    initial = True

    dependencies = [
        ('annotation', '0001_squashed_0039_run_metrics'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Content',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('packed', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='SharedTask',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('title', models.CharField(max_length=200)),
                ('text', models.TextField(blank=True, help_text='For participants; Markdown.')),
                ('licence', models.CharField(blank=True, help_text='Of the files.', max_length=200)),
                ('kind', models.CharField(choices=[('metrics', 'Metrics: teams choose between texts or score them'), ('systems', 'Systems: teams paraphrase the originals')], default='metrics', max_length=10)),
                ('scales', models.JSONField(default=list, help_text='Names of scales that gold is made of.')),
                ('gold', models.CharField(choices=[('sum', 'Mean over annotators of their sums'), ('majority', 'Majority of the annotators who prefer one text of a pair')], default='sum', max_length=10)),
                ('public_share', models.FloatField(default=0.3)),
                ('seed', models.BigIntegerField(help_text='Secret until the task is published.')),
                ('per_day', models.PositiveIntegerField(default=5, help_text='Submissions of a team and track.')),
                ('hide_teams', models.BooleanField(default=False, help_text='Until the task is published.')),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('open', 'Open'), ('closed', 'Closed'), ('published', 'Published')], default='draft', max_length=10)),
                ('opens_at', models.DateTimeField(blank=True, null=True)),
                ('closes_at', models.DateTimeField(blank=True, null=True)),
                ('frozen_at', models.DateTimeField(null=True)),
                ('closed_at', models.DateTimeField(null=True)),
                ('published_at', models.DateTimeField(null=True)),
                ('fingerprint', models.CharField(blank=True, editable=False, max_length=64)),
                ('facts', models.JSONField(default=dict, help_text='Counts of what was frozen.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shared_tasks', to='annotation.campaign')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('judged_in', models.ForeignKey(help_text='Of a systems task: the campaign in which submissions are judged.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotation.campaign')),
                ('train_campaign', models.ForeignKey(blank=True, help_text='Whose texts and gold participants get as train.zip.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotation.campaign')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'closed', 'published'])), name='task_state_known'), models.CheckConstraint(condition=models.Q(('kind__in', ['metrics', 'systems'])), name='task_kind_known'), models.CheckConstraint(condition=models.Q(('gold__in', ['sum', 'majority'])), name='task_gold_known'), models.CheckConstraint(condition=models.Q(('public_share__gte', 0), ('public_share__lt', 1)), name='task_public_share_is_share'), models.CheckConstraint(condition=models.Q(('per_day__gte', 1)), name='task_per_day_at_least_one'), models.CheckConstraint(condition=models.Q(models.Q(('fingerprint', ''), ('frozen_at__isnull', True), ('state', 'draft')), models.Q(models.Q(('state', 'draft'), _negated=True), ('frozen_at__isnull', False), models.Q(('fingerprint', ''), _negated=True)), _connector='OR'), name='task_frozen_before_open'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', True), ('state__in', ['draft', 'open'])), models.Q(('closed_at__isnull', False), ('state__in', ['closed', 'published'])), _connector='OR'), name='task_closed_has_time'), models.CheckConstraint(condition=models.Q(('opens_at__isnull', True), ('closes_at__isnull', True), ('closes_at__gt', models.F('opens_at')), _connector='OR'), name='task_closes_after_it_opens')],
            },
        ),
        migrations.CreateModel(
            name='TaskBoard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('part', models.CharField(choices=[('public', 'Public'), ('final', 'Final')], max_length=10)),
                ('state_hash', models.CharField(editable=False, max_length=64)),
                ('content', scoring.models.runs.OrderedJSONField(null=True)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('worker', models.CharField(blank=True, max_length=200)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('error', models.TextField(blank=True)),
                ('error_parts', models.JSONField(help_text='What the error was made from.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='boards', to='shared_tasks.sharedtask')),
                ('heartbeat', models.DateTimeField(help_text='When work on it last moved on.', null=True)),
                ('not_before', models.DateTimeField(help_text='When it may be tried again.', null=True)),
                ('retries', models.PositiveIntegerField(default=0, help_text='How often it was put back.')),
                ('share', models.FloatField(help_text='Of the work that is done, where known.', null=True)),
                ('token', models.CharField(blank=True, help_text='Of the attempt at work.', max_length=32)),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(fields=('task', 'part'), name='task_board_once'), models.CheckConstraint(condition=models.Q(('part__in', ['public', 'final'])), name='task_board_part_known')],
            },
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('method', models.TextField(blank=True, help_text='What it did, in its own words; Markdown.')),
                ('is_baseline', models.BooleanField(default=False)),
                ('token_hash', models.CharField(editable=False, help_text='Of the link to join.', max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='teams', to='shared_tasks.sharedtask')),
            ],
            options={
                'ordering': ['task_id', 'pk'],
                'constraints': [models.UniqueConstraint(models.F('task'), django.db.models.functions.text.Lower('name'), name='task_team_once'), models.UniqueConstraint(fields=('token_hash',), name='task_team_token_once'), models.UniqueConstraint(condition=models.Q(('is_baseline', True)), fields=('task',), name='task_baselines_once')],
            },
        ),
        migrations.CreateModel(
            name='TeamMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='shared_tasks.sharedtask')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='shared_tasks.team')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['team_id', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('task', 'user'), name='task_member_in_one_team')],
            },
        ),
        migrations.CreateModel(
            name='Track',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField(max_length=40)),
                ('position', models.PositiveSmallIntegerField()),
                ('measure', models.CharField(choices=[('pairs', 'Pairs in the order of people'), ('acc_eq', 'Pairwise accuracy with calibrated ties'), ('pearson', 'Pearson over texts'), ('spearman', 'Spearman over texts'), ('soft_pairwise_accuracy', 'Soft pairwise accuracy over systems'), ('pairwise_accuracy', 'Pairwise accuracy over systems'), ('system_pearson', 'Pearson over systems'), ('people', 'What people think of the paraphrases')], default='pairs', max_length=30)),
                ('reference', models.BooleanField(help_text='Whether the original may be used.')),
                ('gold_parse', models.BooleanField(default=False)),
                ('auto_parse', models.BooleanField(default=False)),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tracks', to='shared_tasks.sharedtask')),
            ],
            options={
                'ordering': ['task_id', 'position'],
                'constraints': [models.UniqueConstraint(fields=('task', 'name'), name='task_track_once'), models.UniqueConstraint(fields=('task', 'position'), name='task_track_position_once')],
            },
        ),
        migrations.CreateModel(
            name='TaskFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('role', models.CharField(choices=[('texts', 'Texts'), ('pairs', 'Pairs'), ('originals', 'Originals'), ('references', 'References'), ('gold_parse', 'Gold parses'), ('auto_parse', 'Automatic parses'), ('nbest', 'n-best lists'), ('train', 'Training data'), ('frozen', 'Gold and split'), ('datasheet', 'Datasheet')], max_length=20)),
                ('name', models.CharField(max_length=100)),
                ('size', models.PositiveIntegerField()),
                ('sha256', models.CharField(editable=False, max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('content', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shared_tasks.content')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='shared_tasks.sharedtask')),
                ('track', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='files', to='shared_tasks.track')),
            ],
            options={
                'ordering': ['task_id', 'pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('track__isnull', True)), fields=('task', 'name'), name='task_file_name_once'), models.UniqueConstraint(condition=models.Q(('track__isnull', False)), fields=('task', 'track', 'name'), name='task_file_of_track_name_once')],
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('number', models.PositiveIntegerField(help_text='Of the team and track, from 1.')),
                ('name', models.CharField(max_length=60)),
                ('note', models.TextField(blank=True)),
                ('baseline', models.CharField(blank=True, help_text='The metric it is made of.', max_length=60)),
                ('form', models.CharField(blank=True, max_length=10)),
                ('size', models.PositiveIntegerField(default=0)),
                ('sha256', models.CharField(blank=True, editable=False, max_length=64)),
                ('primary', models.BooleanField(default=False)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('public', scoring.models.runs.OrderedJSONField(null=True)),
                ('final', scoring.models.runs.OrderedJSONField(null=True)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('worker', models.CharField(blank=True, max_length=200)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('error', models.TextField(blank=True)),
                ('error_parts', models.JSONField(help_text='What the error was made from.', null=True)),
                ('created_at', models.DateTimeField(help_text="By the server's clock.")),
                ('started_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('content', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shared_tasks.content')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='submissions', to='shared_tasks.team')),
                ('track', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='submissions', to='shared_tasks.track')),
                ('heartbeat', models.DateTimeField(help_text='When work on it last moved on.', null=True)),
                ('not_before', models.DateTimeField(help_text='When it may be tried again.', null=True)),
                ('retries', models.PositiveIntegerField(default=0, help_text='How often it was put back.')),
                ('share', models.FloatField(help_text='Of the work that is done, where known.', null=True)),
                ('token', models.CharField(blank=True, help_text='Of the attempt at work.', max_length=32)),
                ('answers', models.OneToOneField(help_text='What its file says, in the order of the frozen files: decisions or scores as doubles, texts as JSON. The file is read once, when it comes.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shared_tasks.content')),
                ('format', models.CharField(default='tsv', help_text='Of its file.', max_length=10)),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(fields=('team', 'track', 'number'), name='submission_number_once'), models.UniqueConstraint(fields=('team', 'track', 'name'), name='submission_name_once'), models.UniqueConstraint(condition=models.Q(('baseline', ''), ('primary', True)), fields=('team', 'track'), name='submission_one_primary'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'failed'), _negated=True), models.Q(('error', ''), _negated=True), _connector='OR'), name='submission_failed_says_why'), models.CheckConstraint(condition=models.Q(models.Q(('baseline', ''), _negated=True), ('content__isnull', False), _connector='OR'), name='submission_of_a_team_has_a_file')],
            },
        ),
        migrations.CreateModel(
            name='DayCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('n', models.PositiveIntegerField(default=0)),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='shared_tasks.team')),
                ('track', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='shared_tasks.track')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('track', 'team', 'day'), name='day_count_once')],
            },
        ),
    ]
