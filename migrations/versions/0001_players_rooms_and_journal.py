"""players, rooms and the journal"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_players_token_hash")),
    )
    op.create_table(
        "rooms",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("seats", sa.SmallInteger(), nullable=False),
        sa.Column("options", postgresql.JSONB(), nullable=False),
        sa.Column("host_id", sa.Uuid(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("server_seed", sa.LargeBinary(), nullable=False),
        sa.Column("r", sa.Integer(), nullable=False),
        sa.Column("starting_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status in ('open', 'starting', 'running', 'finished')",
            name=op.f("ck_rooms_status"),
        ),
        sa.CheckConstraint("octet_length(server_seed) = 32", name=op.f("ck_rooms_server_seed")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rooms")),
        sa.UniqueConstraint("code", name=op.f("uq_rooms_code")),
    )
    op.create_table(
        "room_seats",
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("r_hash", sa.LargeBinary(), nullable=True),
        sa.Column("r", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("room_id", "seat", name=op.f("pk_room_seats")),
    )
    op.create_index(op.f("ix_room_seats_player_id"), "room_seats", ["player_id"])
    op.create_table(
        "journal",
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("move_id", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("draws", sa.Boolean(), nullable=False),
        sa.Column("actors", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind in ('start', 'move', 'undo', 'concede', 'end', 'seat')",
            name=op.f("ck_journal_kind"),
        ),
        sa.PrimaryKeyConstraint("room_id", "seq", name=op.f("pk_journal")),
    )


def downgrade() -> None:
    op.drop_table("journal")
    op.drop_table("room_seats")
    op.drop_table("rooms")
    op.drop_table("players")
