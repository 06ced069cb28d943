"""a room after a room, seats held for somebody, and results by seat"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rooms", sa.Column("after_id", sa.Uuid(), nullable=True))
    op.create_unique_constraint(op.f("uq_rooms_after_id"), "rooms", ["after_id"])
    op.add_column(
        "room_seats", sa.Column("held", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("room_seats", sa.Column("place", sa.SmallInteger(), nullable=True))
    op.add_column("room_seats", sa.Column("total", sa.Integer(), nullable=True))
    # Games that ended before have no results: the house marks them again when it starts.
    op.execute("update rooms set status = 'running' where status = 'finished'")


def downgrade() -> None:
    op.drop_column("room_seats", "total")
    op.drop_column("room_seats", "place")
    op.drop_column("room_seats", "held")
    op.drop_constraint(op.f("uq_rooms_after_id"), "rooms")
    op.drop_column("rooms", "after_id")
